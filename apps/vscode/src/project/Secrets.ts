/**
 * Private values in the editor's secret store. Their names are kept beside them, because the store cannot list.
 *
 * Invariant: a value leaves this class only through `value`.
 */
import * as vscode from "vscode"

/** What the command that keeps a secret is given. It stays inside this extension host. */
export interface TypedSecret {
  readonly name: string
  readonly value: string
}

export class Secrets implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  readonly #values = new Map<string, string>()
  #loading: Promise<void> | undefined

  /** A secret was set, here or in another window. */
  readonly onDidChange = this.#changed.event

  constructor(context: vscode.ExtensionContext) {
    this.#context = context
    this.#subscription = context.secrets.onDidChange(({ key }) => {
      if (!key.startsWith(prefix)) return
      this.#loading = undefined
      this.#changed.fire()
    })
  }

  /** The names that were given, in alphabetical order. */
  get names(): ReadonlyArray<string> {
    return this.#context.globalState.get<ReadonlyArray<string>>(namesKey, []).toSorted()
  }

  /** Reads the store once; afterwards `value` answers at once. A store that fails counts as empty. */
  load(): Promise<void> {
    return (this.#loading ??= this.#read())
  }

  value(name: string): string | undefined {
    return this.#values.get(name)
  }

  /** Rejects when this machine has no secret store. */
  async set(name: string, value: string): Promise<void> {
    await this.#context.secrets.store(prefix + name, value)
    await this.#context.globalState.update(namesKey, [...new Set([...this.names, name])])
    this.#values.set(name, value)
    this.#changed.fire()
  }

  /** Rejects when this machine has no secret store. */
  async remove(name: string): Promise<void> {
    await this.#context.secrets.delete(prefix + name)
    const others = this.names.filter((other) => other !== name)
    await this.#context.globalState.update(namesKey, others)
    this.#values.delete(name)
    this.#changed.fire()
  }

  dispose(): void {
    this.#subscription.dispose()
    this.#changed.dispose()
  }

  async #read(): Promise<void> {
    const found = await Promise.allSettled(
      this.names.map(async (name) => [name, await this.#context.secrets.get(prefix + name)] as const),
    )
    this.#values.clear()
    for (const entry of found) {
      if (entry.status === "fulfilled" && entry.value[1] !== undefined) this.#values.set(entry.value[0], entry.value[1])
    }
  }
}

const prefix = "secret."
const namesKey = "secretNames"
