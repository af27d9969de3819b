/**
 * Where text leaves the extension for the editor's own surfaces: notifications, the status bar, lists, trees, tests, lenses.
 *
 * Invariant: foreign text shows as it is. The editor would take some of it for something else: `$(name)` for an icon and
 * `[text](command:…)` in a notification for a link that runs a command. Characters that are not seen would show something
 * else than is there. Only this file calls those parts of the editor, and a test sees to that.
 */
import { Visible } from "@dotrpc/spec"
import * as vscode from "vscode"

/** Foreign text that stays on one line. */
export const plain = (text: string): string => unmarked(Visible.oneLine(text))

/** Foreign text in which lines stay lines. */
const plainLines = (text: string): string => unmarked(Visible.lines(text))

/** In front of plain text; one of the editor's own icons. */
type Icon =
  | "check"
  | "debug-rerun"
  | "error"
  | "history"
  | "play"
  | "pulse"
  | "record"
  | "server-environment"
  | "warning"

const withIcon = (icon: Icon, text: string): string => `$(${icon}) ${plain(text)}`

/** Neither icons nor links, each of which ends at a mark that is moved away from what it belongs to. */
const unmarked = (text: string): string => text.replaceAll("$(", "$ (").replace(/\]\(/g, "] (")

export const showError = (error: unknown): void =>
  void vscode.window.showErrorMessage(plain(error instanceof Error ? error.message : String(error)))

export const showWarning = (text: string): void => void vscode.window.showWarningMessage(plain(text))

export const showInformation = (text: string): void => void vscode.window.showInformationMessage(plain(text))

/** Asks whether to do something, in a dialog with one button beside that to cancel. */
export const agrees = async (question: string, button: string, detail?: string): Promise<boolean> =>
  (await choose(question, [button], detail)) === button

/** Asks what to do, in a dialog with a button to cancel beside these. `Enter` presses the first. */
export const choose = async (
  question: string,
  buttons: ReadonlyArray<string>,
  detail?: string,
): Promise<string | undefined> => {
  const options = { modal: true, ...(detail === undefined ? {} : { detail: plain(detail) }) }
  return vscode.window.showWarningMessage(plain(question), options, ...buttons)
}

/** Says for a moment that something was done. */
export const showDone = (text: string): void => void vscode.window.setStatusBarMessage(withIcon("check", text), 4_000)

/** An entry of a list to choose from. */
export interface Choice<Value> {
  readonly label: string
  readonly description?: string | undefined
  readonly detail?: string | undefined
  readonly value: Value
}

interface PickOptions extends Pick<vscode.QuickPickOptions, "ignoreFocusOut"> {
  readonly title: string
  readonly placeHolder?: string | undefined
}

/** Lets a person choose; resolves with `undefined` when they do not. */
export const pick = async <Value>(
  choices: ReadonlyArray<Choice<Value>>,
  { placeHolder, title, ...options }: PickOptions,
): Promise<Value | undefined> => {
  const items = choices.map(({ description = "", detail, label, value }) => ({
    label: plain(label),
    description: plain(description),
    ...(detail === undefined ? {} : { detail: plain(detail) }),
    value,
  }))
  const picked = await vscode.window.showQuickPick(items, {
    ...options,
    title: plain(title),
    matchOnDescription: true,
    matchOnDetail: true,
    ...(placeHolder === undefined ? {} : { placeHolder: plain(placeHolder) }),
  })
  return picked?.value
}

/** Asks for a line of text. */
export const askText = (options: vscode.InputBoxOptions): Thenable<string | undefined> =>
  vscode.window.showInputBox({ ...options, title: plain(options.title ?? "") })

/** Shows that something takes long, until it has ended. */
export const showWorking = <Value>(
  title: string,
  work: (say: (words: string) => void, token: vscode.CancellationToken) => Thenable<Value>,
): Thenable<Value> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title: plain(title) },
    (progress, token) => work((words) => progress.report({ message: plain(words) }), token),
  )

/** Shows in the status bar that something works, until it has ended. */
export const showInStatusBar = <Value>(title: string, work: () => Thenable<Value>): Thenable<Value> =>
  vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: plain(title) }, work)

/** Above a line of a text; one without a command does nothing. */
export const lensAt = (range: vscode.Range, { title, tooltip = "", ...command }: vscode.Command): vscode.CodeLens =>
  new vscode.CodeLens(range, { ...command, title: plain(title), tooltip: plainLines(tooltip) })

interface StatusEntry extends vscode.Disposable {
  readonly show: (icon: Icon, text: string, tooltip: string, background?: vscode.ThemeColor) => void
  readonly hide: () => void
}

/** An entry of the status bar that runs a command. */
export const statusEntry = (id: string, name: string, priority: number, command: string): StatusEntry => {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority)
  item.name = name
  item.command = command
  return {
    show: (icon, text, tooltip, background) => {
      item.text = withIcon(icon, text)
      item.tooltip = plainLines(tooltip)
      item.backgroundColor = background
      item.show()
    },
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  }
}

/** Below a cell of a notebook. */
export const cellStatus = (icon: Icon, text: string, tooltip: string): vscode.NotebookCellStatusBarItem => {
  const item = new vscode.NotebookCellStatusBarItem(withIcon(icon, text), vscode.NotebookCellStatusBarAlignment.Left)
  item.tooltip = plainLines(tooltip)
  return item
}

export const cellError = (message: string): vscode.NotebookCellOutputItem =>
  vscode.NotebookCellOutputItem.error({ name: "Error", message: plainLines(message) })

interface TreeWords {
  readonly label: string
  readonly description: string
  readonly tooltip?: string | undefined
  /** What screen readers say instead of the label and the description. */
  readonly spoken?: string | undefined
}

/** A line of a view. */
export const treeItem = (
  { description, label, spoken, tooltip }: TreeWords,
  state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem => {
  const item = new vscode.TreeItem(plain(label), state)
  item.description = plain(description)
  if (tooltip !== undefined) item.tooltip = plainLines(tooltip)
  if (spoken !== undefined) item.accessibilityInformation = { label: plain(spoken) }
  return item
}

/** Why a test failed; what was expected and found instead is shown as it is, line by line. */
export const testMessage = (text: string, difference?: { readonly expected: string; readonly actual: string }) => {
  const message = new vscode.TestMessage(plainLines(text))
  if (difference === undefined) return message
  message.expectedOutput = plainLines(difference.expected)
  message.actualOutput = plainLines(difference.actual)
  return message
}

/** What the extension says in its output, a line for each. */
export interface Log {
  readonly info: (text: string) => void
  readonly error: (text: string) => void
}

export const logTo = (channel: Log): Log => ({
  info: (text) => channel.info(plain(text)),
  error: (text) => channel.error(plainLines(text)),
})
