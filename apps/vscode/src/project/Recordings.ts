/** Whether the runs of this workspace are recorded or answered from recordings, and in which folder; remembered with it. */
import * as vscode from "vscode"

/** The same object as long as nobody chooses another. */
export interface RecordingChoice {
  readonly kind: "record" | "replay"
  /** A path on the disk of the extension host. */
  readonly folder: string
}

export class Recordings implements vscode.Disposable {
  readonly missing: string | undefined
  readonly #state: Pick<vscode.Memento, "get" | "update">
  readonly #changed = new vscode.EventEmitter<void>()
  #current: RecordingChoice | undefined

  /** Another kind or folder was chosen, or none. */
  readonly onDidChange = this.#changed.event

  /** `missing` says why this host has no recordings; what another host remembered with the workspace does not apply then. */
  constructor(state: Pick<vscode.Memento, "get" | "update">, missing: string | undefined) {
    this.#state = state
    this.missing = missing
    this.#current = missing === undefined ? readChoice(state.get<unknown>(key)) : undefined
  }

  /** `undefined` where runs are as usual. */
  get current(): RecordingChoice | undefined {
    return this.#current
  }

  /** Nothing is sent, so keys are not needed. */
  get isReplaying(): boolean {
    return this.#current?.kind === "replay"
  }

  async choose(choice: RecordingChoice | undefined): Promise<void> {
    this.#current = choice
    // Before it is kept: the next run may come first.
    this.#changed.fire()
    await this.#state.update(key, choice)
  }

  dispose(): void {
    this.#changed.dispose()
  }
}

/** The last part of the path of a folder. */
export const nameOf = (folder: string): string => folder.split(/[/\\]/).findLast((part) => part !== "") ?? folder

const key = "recordings"

const readChoice = (kept: unknown): RecordingChoice | undefined => {
  if (typeof kept !== "object" || kept === null || !("kind" in kept) || !("folder" in kept)) return undefined
  const { folder, kind } = kept
  if ((kind !== "record" && kind !== "replay") || typeof folder !== "string" || folder === "") return undefined
  return { kind, folder }
}
