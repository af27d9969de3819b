/** One runtime for each state of a project: its runs share pace and credits. What is recorded or replayed has its own. */
import type { ManagedRuntime } from "effect"

import type { Ledgers } from "../credits/Ledgers.ts"
import type { Project } from "../project/Project.ts"
import type { RecordingChoice } from "../project/Recordings.ts"
import type { RunServices, RuntimeHost } from "./runtimeLayer.ts"

export type Runtime = ManagedRuntime.ManagedRuntime<RunServices, never>

export class Runtimes {
  readonly #ledgers: Ledgers
  readonly #host: RuntimeHost
  /** Weak: a runtime holds nothing that must be closed, so one that no run uses may go. */
  readonly #runtimes = new WeakMap<Project, Promise<Runtime>>()

  constructor(ledgers: Ledgers, host: RuntimeHost) {
    this.#ledgers = ledgers
    this.#host = host
  }

  /** For one run, whose calls are recorded all, or answered in the order in which they were recorded. */
  async recorded(project: Project, recording: RecordingChoice): Promise<Runtime> {
    const { makeRuntime } = await import("./runtimeLayer.ts")
    return makeRuntime(project, this.#ledgers.layerOf(project), this.#host, recording)
  }

  of(project: Project): Promise<Runtime> {
    const known = this.#runtimes.get(project)
    if (known !== undefined) return known
    const ledger = this.#ledgers.layerOf(project)
    const made = import("./runtimeLayer.ts").then(({ makeRuntime }) => makeRuntime(project, ledger, this.#host))
    this.#runtimes.set(project, made)
    return made
  }
}
