/**
 * How a request about a document is answered.
 *
 * Invariants: a request that fails answers with an error and leaves the server as it was; what is logged of it holds no
 * secret. Answers that wait for the same analysis follow each other with a pause, so that the thread is free between them.
 */
import type { Steps } from "@dotrpc/analysis"
import type { AnalysedText } from "@dotrpc/lang-service"
import type { Session } from "@dotrpc/session"
import { pausing, Visible } from "@dotrpc/spec"
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  type ProtocolRequestType,
  ResponseError,
} from "vscode-languageserver"
import type { Documents, OpenDocument } from "./documents.ts"

interface AboutDocument {
  readonly textDocument: { readonly uri: string }
}

/** `undefined` when the request became stale before there was an answer. */
type Answered<Result, Failure> = Result | ResponseError<Failure> | null | undefined

/** The document that a request is about. The request becomes stale when the client cancels it or changes the text. */
export interface AskedDocument extends Omit<OpenDocument, "inProject"> {
  /** The document with the other files of its project; `undefined` when the request became stale. */
  readonly inProject: () => Promise<AnalysedText | undefined>
  /** Takes long work in slices; `undefined` when the request became stale. */
  readonly inSlices: <Value>(steps: Steps<Value>) => Promise<Value | undefined>
}

/**
 * Answers requests of a type from the open document that they are about; with `absent` when there is no analysis of it. A
 * request that a change of the text overtakes begins again with the text as it is then.
 */
export type AnswerRequests = <Params extends AboutDocument, Result, Partial, Failure, Options>(
  type: ProtocolRequestType<Params, Result | null, Partial, Failure, Options>,
  read: (asked: AskedDocument, params: Params) => Answered<Result, Failure> | Promise<Answered<Result, Failure>>,
  absent?: (uri: string) => Result,
) => void

export const makeAnswer = (
  connection: Connection,
  documents: Documents,
  inSlices: Session["inSlices"],
): AnswerRequests => {
  const pause = pausing()
  return <Params extends AboutDocument, Result, Partial, Failure, Options>(
    type: ProtocolRequestType<Params, Result | null, Partial, Failure, Options>,
    read: (asked: AskedDocument, params: Params) => Answered<Result, Failure> | Promise<Answered<Result, Failure>>,
    absent?: (uri: string) => Result,
  ) => {
    const answer = async (params: Params, token: CancellationToken): Promise<unknown> => {
      const { uri } = params.textDocument
      for (;;) {
        if (token.isCancellationRequested) return cancelled()
        const open = await documents.get(uri)
        await pause()
        if (token.isCancellationRequested) return cancelled()
        if (open === undefined) return absent?.(uri) ?? null
        const isStale = () => token.isCancellationRequested || !open.isCurrent()
        const answered = isStale()
          ? undefined
          : await read(
              {
                ...open,
                inProject: () => open.inProject(isStale),
                inSlices: (steps) => inSlices(steps, isStale),
              },
              params,
            )
        if (answered !== undefined) return answered
      }
    }
    const handle = async (params: Params, token: CancellationToken): Promise<unknown> => {
      try {
        return await answer(params, token)
      } catch (error) {
        await logFailure(connection, documents, params.textDocument.uri, type.method, error)
        return new ResponseError(ErrorCodes.InternalError, `${type.method} failed; see the server's log`)
      }
    }
    // By name, as the overload by type cannot relate the result of a generic request to that of its handler.
    connection.onRequest(type.method, handle)
  }
}

/** Tells the client's log what failed, without any secret of the document's project. */
export const logFailure = async (
  connection: Connection,
  documents: Documents,
  uri: string,
  what: string,
  error: unknown,
): Promise<void> => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // Without its project the secrets of a document are unknown, and then only the sort of the failure is safe to tell.
  const scrub = await documents.scrubberFor(uri).catch(() => () => (error instanceof Error ? error.name : typeof error))
  connection.console.error(Visible.lines(`${what}: ${scrub(text)}`))
}

const cancelled = () => new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled")
