/**
 * Keys that are written into a configuration: marked while they are typed, and moved to the secret store by one click.
 * Configurations are JSON to the editor, so the language server is not asked about their text.
 */
import { type ConfigKey, keysInConfig } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { lineIndex, type LineIndex, positionAt } from "@dotrpc/lang/locate"
import { configRefusal } from "@dotrpc/session"
import { Redacted } from "effect"
import * as vscode from "vscode"
import type { TypedSecret } from "./Secrets.ts"
import { toRange } from "./ranges.ts"
import type { Projects } from "./Projects.ts"

/** Watches the configurations of projects that are in use, and those that are open. */
export const provideConfigKeys = (projects: Projects): vscode.Disposable => {
  const marks = vscode.languages.createDiagnosticCollection("dotrpc-keys")
  const mark = (uri: vscode.Uri, text: string): void => marks.set(uri, keysIn(text).map(markOf(lineIndex(text))))
  const markAll = (): void => {
    const open = vscode.workspace.textDocuments.filter(isConfig)
    const opened = new Set(open.map(({ uri }) => uri.toString()))
    const onDisk = projects.configured.flatMap(({ configFile }) => configFile ?? [])
    marks.clear()
    for (const document of open) mark(document.uri, document.getText())
    for (const { uri, text } of onDisk) if (!opened.has(uri)) mark(vscode.Uri.parse(uri), text)
  }
  markAll()
  return vscode.Disposable.from(
    marks,
    projects.onDidChange(markAll),
    vscode.workspace.onDidOpenTextDocument((document) => isConfig(document) && markAll()),
    vscode.workspace.onDidCloseTextDocument((document) => isConfig(document) && markAll()),
    vscode.workspace.onDidChangeTextDocument(
      ({ document }) => isConfig(document) && mark(document.uri, document.getText()),
    ),
    vscode.languages.registerCodeActionsProvider(
      { pattern: `**/${configName}` },
      { provideCodeActions: (document, range) => actionsAt(document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  )
}

const configName = "rpc.config.json"

export const isConfig = ({ uri }: vscode.TextDocument): boolean => uri.path.endsWith(`/${configName}`)

const rangeOf = (lines: LineIndex, { start, end }: Span): vscode.Range =>
  toRange({ start: positionAt(lines, start), end: positionAt(lines, end) })

/** None of a text that is too long to be read. */
const keysIn = (text: string): ReadonlyArray<ConfigKey> => (configRefusal(text) === undefined ? keysInConfig(text) : [])

const markOf =
  (lines: LineIndex) =>
  (key: ConfigKey): vscode.Diagnostic => {
    const range = rangeOf(lines, key)
    const diagnostic = new vscode.Diagnostic(range, key.message, vscode.DiagnosticSeverity.Warning)
    diagnostic.source = "dotrpc"
    diagnostic.code = key.code
    return diagnostic
  }

const actionsAt = (document: vscode.TextDocument, range: vscode.Range): Array<vscode.CodeAction> => {
  const text = document.getText()
  const lines = lineIndex(text)
  return keysIn(text).flatMap(({ move, ...span }) => {
    if (move === undefined || rangeOf(lines, span).intersection(range) === undefined) return []
    const action = new vscode.CodeAction(`Move to the secret store as ${move.name}`, vscode.CodeActionKind.QuickFix)
    action.edit = new vscode.WorkspaceEdit()
    for (const edit of move.fix.edits) action.edit.replace(document.uri, rangeOf(lines, edit), edit.text)
    const secret: TypedSecret = { name: move.name, value: Redacted.value(move.value) }
    action.command = { title: action.title, command: "dotrpc.keepSecret", arguments: [secret] }
    return [action]
  })
}

export const provideConfigRepairs = (): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    { pattern: "**/rpc.config.json" },
    {
      provideCodeActions: (document, _range, { diagnostics }) =>
        diagnostics.flatMap((diagnostic) => repairOf(document, diagnostic) ?? []),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  )

const repairOf = (document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction | undefined => {
  const meant = diagnostic.source === "dotrpc" ? meantIn(diagnostic.message) : undefined
  // The text may have changed since it was marked.
  if (meant === undefined || !/^".*"$/.test(document.getText(diagnostic.range))) return undefined
  const action = new vscode.CodeAction(`Change to "${meant}"`, vscode.CodeActionKind.QuickFix)
  action.diagnostics = [diagnostic]
  action.isPreferred = true
  action.edit = new vscode.WorkspaceEdit()
  action.edit.replace(document.uri, diagnostic.range, JSON.stringify(meant))
  return action
}

/** The name at the end of `unknown plugin "emv"; did you mean "evm"?` */
const meantIn = (message: string): string | undefined => /did you mean "([^"]+)"\?$/.exec(message)?.[1]
