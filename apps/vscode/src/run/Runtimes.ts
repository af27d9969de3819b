/** One runtime for each state of a project: its runs share pace and credits. */
import { CreditLedger } from "@dotrpc/core"
import { Effect, type ManagedRuntime } from "effect"

import type { Project } from "../project/Project.ts"
import type { RunServices } from "./runtimeLayer.ts"

export type Runtime = ManagedRuntime.ManagedRuntime<RunServices, never>

export class Runtimes {
  /** Weak: a runtime holds nothing that must be closed, so one that no run uses may go. */
  readonly #runtimes = new WeakMap<Project, Promise<Runtime>>()

  of(project: Project): Promise<Runtime> {
    const known = this.#runtimes.get(project)
    if (known !== undefined) return known
    const made = import("./runtimeLayer.ts").then(({ makeRuntime }) => makeRuntime(project))
    this.#runtimes.set(project, made)
    return made
  }

  /** What was spent today in this window, and what is left of the project's limit. */
  async balance(project: Project): Promise<CreditLedger.Balance> {
    const runtime = await this.of(project)
    return runtime.runPromise(Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance))
  }
}
