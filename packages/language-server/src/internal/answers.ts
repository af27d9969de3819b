/**
 * How a request about a document is answered.
 *
 * Invariant: a request that fails answers with an error and leaves the server as it was; what is logged of it holds no
 * secret.
 */
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

type Answered<Result, Failure> = Result | ResponseError<Failure> | null

/** Answers requests of a type from the open document that they are about; with `absent` when there is no analysis of it. */
export type Answer = <Params extends AboutDocument, Result, Partial, Failure, Options>(
  type: ProtocolRequestType<Params, Result | null, Partial, Failure, Options>,
  read: (open: OpenDocument, params: Params) => Answered<Result, Failure> | Promise<Answered<Result, Failure>>,
  absent?: (uri: string) => Result,
) => void

export const makeAnswer =
  (connection: Connection, documents: Documents): Answer =>
  <Params extends AboutDocument, Result, Partial, Failure, Options>(
    type: ProtocolRequestType<Params, Result | null, Partial, Failure, Options>,
    read: (open: OpenDocument, params: Params) => Answered<Result, Failure> | Promise<Answered<Result, Failure>>,
    absent?: (uri: string) => Result,
  ) => {
    const handle = async (params: Params, token: CancellationToken): Promise<unknown> => {
      const { uri } = params.textDocument
      if (token.isCancellationRequested) return cancelled()
      try {
        const open = await documents.get(uri)
        if (token.isCancellationRequested) return cancelled()
        return open === undefined ? (absent?.(uri) ?? null) : await read(open, params)
      } catch (error) {
        await logFailure(connection, documents, uri, type.method, error)
        return new ResponseError(ErrorCodes.InternalError, `${type.method} failed; see the server's log`)
      }
    }
    // By name, as the overload by type cannot relate the result of a generic request to that of its handler.
    connection.onRequest(type.method, handle)
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
  connection.console.error(`${what}: ${scrub(text)}`)
}

const cancelled = () => new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled")
