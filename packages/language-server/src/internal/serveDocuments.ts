/** What every server does, wherever its projects come from: keeps the open documents, answers requests, reports problems. */
import type { InlayHint } from "@dotrpc/lang-service"
import type { FileHost, Project, Session } from "@dotrpc/session"
import type { Command, Connection, InitializeParams, InitializeResult } from "vscode-languageserver"
import { makeAnswer } from "./answers.ts"
import { capabilitiesFor, type Client, clientOf } from "./capabilities.ts"
import { makeDiagnosticReports } from "./diagnostics.ts"
import { type ComparedOf, type LikelyOf, makeDocuments, type ResultsOf } from "./documents.ts"
import { answerFeatures } from "./features.ts"

/** The version that the server names, and what it runs in. */
export interface ServerOptions {
  readonly version?: string | undefined
  /** Milliseconds without typing before diagnostics are sent to a client that does not ask for them. */
  readonly quietMillis?: number | undefined
  /** The inlay hints to give; all of them by default. An editor that shows prices in lenses leaves those out. */
  readonly hints?: ReadonlyArray<InlayHint["kind"]> | undefined
  /**
   * Offers the colours of ranges only. VS Code asks again while a person types, and matches all brackets of the file again
   * after colours of all of it: in 5,000 lines a keystroke then takes a third longer.
   */
  readonly coloursInView?: boolean | undefined
  /** The client's own command that opens its list of suggestions: it follows a completion after which more is offered. */
  readonly suggestCommand?: Command | undefined
  /** What the requests of a document that read a range are likely to cost, as far as earlier scans say. */
  readonly likelyOf?: LikelyOf | undefined
}

export interface Serving {
  readonly client: () => Client
  /** Asks the client to have everything reported again, since projects are others now, and files may be. */
  readonly reset: () => void
  /** The same of the documents that import something. */
  readonly filesChanged: () => void
}

/** Where everything comes from that no open document says. */
export interface ServingSources {
  readonly session: Session
  /** Whether somebody else notifies the session of the documents that are open as text. */
  readonly isFed: boolean
  readonly listFiles: FileHost["listFiles"]
  /** Absent where no file but those of the session is read: then kept results do not follow the names of their requests. */
  readonly readFile: FileHost["readFile"] | undefined
  readonly listFolder: FileHost["listFolder"]
  readonly resultsOf: ResultsOf
  readonly comparedOf: ComparedOf
  /** Projects whose configurations are reported without a document. */
  readonly configured: () => ReadonlyArray<Project>
  readonly onInitialize: (params: InitializeParams) => void
}

/** Registers the handlers of a connection; anyone who calls adds its own and then listens. */
export const serveDocuments = (
  connection: Connection,
  options: ServerOptions,
  { session, isFed, listFiles, listFolder, readFile, resultsOf, comparedOf, configured, onInitialize }: ServingSources,
): Serving => {
  let client = clientOf({})
  const documents = makeDocuments(
    session,
    isFed,
    { listFiles, listFolder },
    { resultsOf, comparedOf, likelyOf: options.likelyOf },
  )
  const answer = makeAnswer(connection, documents, session.inSlices)
  const reports = makeDiagnosticReports({
    connection,
    documents,
    answer,
    client: () => client,
    configured,
    quietMillis: options.quietMillis ?? 200,
  })

  connection.onInitialize((params): InitializeResult => {
    client = clientOf(params.capabilities)
    onInitialize(params)
    return {
      capabilities: capabilitiesFor(client, options.coloursInView),
      serverInfo: { name: "dotrpc", ...(options.version === undefined ? {} : { version: options.version }) },
    }
  })
  connection.onDidOpenTextDocument(({ textDocument }) => {
    documents.open(textDocument.uri, textDocument.text)
    reports.changed(textDocument.uri)
  })
  connection.onDidChangeTextDocument(({ contentChanges, textDocument }) => {
    documents.change(textDocument.uri, contentChanges)
    reports.changed(textDocument.uri)
    reports.importsChanged()
  })
  connection.onDidCloseTextDocument(({ textDocument }) => {
    documents.close(textDocument.uri)
    reports.closed(textDocument.uri)
  })
  const { notebooks } = documents
  const { synchronization } = connection.notebooks
  synchronization.onDidOpenNotebookDocument((params) => {
    notebooks.open(params)
    reports.notebookChanged(params.notebookDocument.uri)
  })
  synchronization.onDidChangeNotebookDocument((params) => {
    const { uri } = params.notebookDocument
    notebooks.change(params)
    params.change.cells?.structure?.didClose?.forEach((cell) => reports.closed(cell.uri))
    reports.notebookChanged(uri)
    reports.importsChanged()
  })
  synchronization.onDidCloseNotebookDocument(({ cellTextDocuments, notebookDocument }) => {
    notebooks.close(notebookDocument.uri)
    cellTextDocuments.forEach((cell) => reports.closed(cell.uri))
  })
  connection.onShutdown(reports.dispose)
  const { hints, suggestCommand } = options
  answerFeatures({ answer, client: () => client, hints, suggestCommand, readFile })
  return {
    client: () => client,
    reset: reports.reset,
    filesChanged: reports.filesChanged,
  }
}
