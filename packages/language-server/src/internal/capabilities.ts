/** What the server can do for a client, and what it takes from the client's own answer. */
import { onTypeTriggers, semanticTokenLegend } from "@dotrpc/lang-service"
import {
  type ClientCapabilities,
  CodeActionKind,
  PositionEncodingKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from "vscode-languageserver"

/** The parts of the client's capabilities that change how it is served. */
export interface Client {
  readonly takesSnippets: boolean
  /** Asks for diagnostics itself; otherwise they are sent to it. */
  readonly pullsDiagnostics: boolean
  readonly refreshesDiagnostics: boolean
  readonly refreshesInlayHints: boolean
  readonly answersConfiguration: boolean
  readonly watchesFiles: boolean
  readonly reportsFolders: boolean
}

export const clientOf = ({ textDocument, workspace }: ClientCapabilities): Client => ({
  takesSnippets: textDocument?.completion?.completionItem?.snippetSupport === true,
  pullsDiagnostics: textDocument?.diagnostic !== undefined,
  refreshesDiagnostics: workspace?.diagnostics?.refreshSupport === true,
  refreshesInlayHints: workspace?.inlayHint?.refreshSupport === true,
  answersConfiguration: workspace?.configuration === true,
  watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
  reportsFolders: workspace?.workspaceFolders === true,
})

/** The type by which editors know the notebook view of a file. */
const notebookType = "dotrpc-notebook"

const [newLine, ...brackets] = onTypeTriggers

/** @param inView whether only what is in view is coloured */
export const capabilitiesFor = (client: Client, inView = false): ServerCapabilities => ({
  positionEncoding: PositionEncodingKind.UTF16,
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
  // Titles too, so that the text is the file.
  notebookDocumentSync: { notebookSelector: [{ notebook: notebookType }] },
  completionProvider: { triggerCharacters: ['"', ".", "$", "@", "{", " ", "("] },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ["(", ",", "["] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  documentLinkProvider: {},
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: { firstTriggerCharacter: newLine, moreTriggerCharacter: brackets },
  renameProvider: { prepareProvider: true },
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...semanticTokenLegend.types], tokenModifiers: [...semanticTokenLegend.modifiers] },
    full: !inView,
    range: true,
  },
  inlayHintProvider: true,
  ...(client.pullsDiagnostics
    ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } }
    : {}),
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
})
