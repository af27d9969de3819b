/**
 * The language server, in this extension host, and the one client that asks it. They share a session and the
 * results, so that nothing is read, analysed or copied twice; docs/decisions/005 and 018 say why.
 */
import { serveSession } from "@dotrpc/language-server"
import type { Session } from "@dotrpc/session"
import * as vscode from "vscode"
import {
  BaseLanguageClient,
  DocumentDiagnosticRequest,
  type MessageTransports,
  type Middleware,
  vsdiag,
} from "vscode-languageclient"
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from "vscode-languageserver/browser"

import { commandActions } from "../networks/commandActions.ts"
import type { Projects } from "../project/Projects.ts"
import type { Results } from "../results/Results.ts"
import { FileViews } from "./FileViews.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { keepSecretAction, splitCellAction } from "./changedActions.ts"
import { sharedSession } from "./sharedSession.ts"

/** Starts both; disposing of what it gives stops them. */
export const startLanguageClient = (
  session: Session,
  projects: Projects,
  files: ImportedFiles,
  results: Results,
  log: vscode.LogOutputChannel,
): vscode.Disposable => {
  const shared = sharedSession(session, projects, files, results)
  const views = new FileViews()
  const client = new InProcessClient(
    // Prices are on the lenses.
    ({ reader, writer }) =>
      serveSession(createConnection(reader, writer), shared, {
        hints: ["number", "time"],
        coloursInView: true,
        suggestCommand: { title: "Suggest", command: "editor.action.triggerSuggest", arguments: [{ auto: true }] },
      }),
    middlewareFor(views),
    log,
  )
  void client.start()
  return vscode.Disposable.from(
    views,
    views.onDidChange(() => client.getFeature(DocumentDiagnosticRequest.method).refresh()),
    { dispose: () => void client.dispose() },
  )
}

class InProcessClient extends BaseLanguageClient {
  readonly #serve: (transports: MessageTransports) => void

  constructor(serve: (transports: MessageTransports) => void, middleware: Middleware, log: vscode.LogOutputChannel) {
    super("dotrpc", "dotrpc", { documentSelector: [{ language: "rpc" }], outputChannel: log, middleware })
    this.#serve = serve
  }

  protected override createMessageTransports(): Promise<MessageTransports> {
    const { port1, port2 } = new MessageChannel()
    this.#serve(transportsOf(port2))
    return Promise.resolve(transportsOf(port1))
  }
}

/** The cells of a notebook are reported together, as one; none of them is a document of its own. */
const middlewareFor = (views: FileViews): Middleware => ({
  didOpen: async (document, next) => (isCell(document) ? undefined : next(document)),
  didChange: async (event, next) => (isCell(event.document) ? undefined : next(event)),
  didSave: async (document, next) => (isCell(document) ? undefined : next(document)),
  didClose: async (document, next) => (isCell(document) ? undefined : next(document)),
  provideDiagnostics: (document, previous, token, next) =>
    document instanceof vscode.Uri || views.speaks(document) ? next(document, previous, token) : nothingWrong,
  provideCodeActions: async (document, range, context, token, next) => {
    const actions = await next(document, range, context, token)
    const fixing = commandActions(document, context.diagnostics)
    const changed = actions?.map((action) => splitCellAction(keepSecretAction(action, document), document)) ?? []
    return [...changed, ...fixing]
  },
})

const nothingWrong: vsdiag.DocumentDiagnosticReport = { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] }

const isCell = ({ uri }: vscode.TextDocument): boolean => uri.scheme === "vscode-notebook-cell"

const transportsOf = (port: MessagePort): MessageTransports => ({
  reader: new BrowserMessageReader(port),
  writer: new BrowserMessageWriter(port),
})
