/** Instead of `vscode`: keeps every text that the editor would show, in the order it was given. */

export const given: Array<unknown> = []

const keep =
  <Answer>(answer: Answer) =>
  (...values: ReadonlyArray<unknown>): Answer => {
    given.push(...values)
    return answer
  }

/** Makes something that is made with texts, and given more of them. */
function Made(...values: ReadonlyArray<unknown>): object {
  const made = {}
  given.push(made, ...values)
  return made
}

export { Made as CodeLens, Made as NotebookCellStatusBarItem, Made as Range, Made as TestMessage, Made as TreeItem }

export class EventEmitter<Value> {
  readonly #listeners = new Set<(value: Value) => void>()
  readonly event = (listener: (value: Value) => void): void => void this.#listeners.add(listener)
  readonly fire = (value: Value): void => this.#listeners.forEach((listener) => listener(value))
  readonly dispose = (): void => this.#listeners.clear()
}

export const NotebookCellOutputItem = { error: keep({}) }
export const NotebookCellStatusBarAlignment = { Left: 1 }
export const StatusBarAlignment = { Right: 2 }
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 }
export const ProgressLocation = { Notification: 15, Window: 10 }

export const window = {
  showErrorMessage: keep(Promise.resolve(undefined)),
  showWarningMessage: keep(Promise.resolve(undefined)),
  showInformationMessage: keep(Promise.resolve(undefined)),
  showQuickPick: keep(Promise.resolve(undefined)),
  showInputBox: keep(Promise.resolve(undefined)),
  setStatusBarMessage: keep({}),
  createStatusBarItem: (...values: ReadonlyArray<unknown>) => {
    const item = { show: () => undefined, hide: () => undefined, dispose: () => undefined }
    given.push(item, ...values)
    return item
  },
  withProgress: (
    options: unknown,
    work: (
      progress: { readonly report: (value: unknown) => void },
      token: { readonly onCancellationRequested: () => void },
    ) => Promise<unknown>,
  ) => {
    given.push(options)
    return work({ report: keep(undefined) }, { onCancellationRequested: () => undefined })
  },
}

export const commands = { executeCommand: keep(Promise.resolve(undefined)) }
export const workspace = {
  isTrusted: true,
  asRelativePath: ({ path }: { readonly path: string }): string => path,
  getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
}
