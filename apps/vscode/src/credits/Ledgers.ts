/**
 * The ledgers of this window: one for each place where credits are counted, under the daily limit of each project.
 *
 * Invariant: a ledger stays open until the window closes, and is notified then that its process ends, so that nothing set
 * aside counts as lost.
 */
import { CreditLedger } from "@dotrpc/core"
import type { Options } from "@dotrpc/spec"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"

import type { Project } from "../project/Project.ts"
import { keyOf, type LedgerFile, type LedgerPlace, ledgerPlace } from "./LedgerPlace.ts"
import { limited } from "./limited.ts"

/** What is left of a project's day, and who else it is shared with. */
export interface ProjectBalance {
  readonly balance: CreditLedger.Balance
  readonly place: LedgerPlace
}

export class Ledgers {
  readonly #file: LedgerFile
  readonly #isTrusted: () => boolean
  readonly #onSetAside: (notice: CreditLedger.SetAside) => void
  readonly #scope = Scope.makeUnsafe()
  readonly #counts = new Map<string, Promise<CreditLedger.CreditLedger["Service"]>>()

  constructor(file: LedgerFile, isTrusted: () => boolean, onSetAside: (notice: CreditLedger.SetAside) => void) {
    this.#file = file
    this.#isTrusted = isTrusted
    this.#onSetAside = onSetAside
  }

  placeOf({ config, workspace }: Project): LedgerPlace {
    return ledgerPlace(config, workspace, this.#file, this.#isTrusted())
  }

  /** Whether the project's ledger was used already: one on a server is not reached for before something runs. */
  isOpen(project: Project): boolean {
    const place = this.placeOf(project)
    return place.kind !== "server" || this.#counts.has(keyOf(place))
  }

  /** The project's ledger. */
  layerOf(project: Project): Layer.Layer<CreditLedger.CreditLedger> {
    const { daily = CreditLedger.defaultDaily } = project.config.limits ?? {}
    const count = Effect.promise(() => this.#countAt(this.placeOf(project)))
    return limited(daily).pipe(Layer.provide(Layer.effect(CreditLedger.CreditLedger, count)))
  }

  /** Rejects with `LedgerUnavailable` when nobody knows. */
  async balance(project: Project): Promise<ProjectBalance> {
    const read = Effect.flatMap(CreditLedger.CreditLedger, (ledger) => ledger.balance)
    const balance = await Effect.runPromise(Effect.provide(read, this.layerOf(project)))
    return { balance, place: this.placeOf(project) }
  }

  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  #countAt(place: LedgerPlace): Promise<CreditLedger.CreditLedger["Service"]> {
    const key = keyOf(place)
    const opened =
      this.#counts.get(key) ??
      Effect.runPromise(
        Layer.build(this.#open(place)).pipe(
          Scope.provide(this.#scope),
          Effect.map((context) => Context.get(context, CreditLedger.CreditLedger)),
        ),
      )
    this.#counts.set(key, opened)
    return opened
  }

  /** Without a limit of its own: it counts for projects with different ones. */
  #open(place: LedgerPlace): Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> {
    const daily = Number.POSITIVE_INFINITY
    switch (place.kind) {
      case "window":
        return CreditLedger.layerMemory({ daily })
      case "file":
        return CreditLedger.layerFile(place.path, {
          daily,
          onSetAside: (notice) => Effect.sync(() => this.#onSetAside(notice)),
        })
      case "server":
        return CreditLedger.layerRedis({ url: Redacted.value(place.url), daily })
      case "unknown":
        return unknown(place.why)
    }
  }
}

const unknown = (why: string): Layer.Layer<CreditLedger.CreditLedger> => {
  const advice = 'Set it, or set "ledger" to "file" or "memory" in rpc.config.json.'
  const failure = Effect.fail(new CreditLedger.LedgerUnavailable({ why, advice, retryable: false }))
  return Layer.succeed(CreditLedger.CreditLedger, {
    reserve: () => failure,
    settle: () => failure,
    release: () => failure,
    balance: failure,
  })
}
