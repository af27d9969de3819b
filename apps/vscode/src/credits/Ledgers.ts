/**
 * The ledgers of this window: one for each place where credits are counted, under the daily limit of each project.
 *
 * Invariant: a ledger stays open until the window closes, and is notified then that its process ends, so that nothing set
 * aside counts as lost.
 */
import { accountLimit, networksEverywhere } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { type Gate, type Options, type PriceSheet, RpcReason, SecretGate } from "@dotrpc/spec"
import { Context, Effect, Exit, Layer, Scope } from "effect"

import type { Project } from "../project/Project.ts"
import { keyOf, type LedgerFile, type LedgerPlace, ledgerPlace } from "./LedgerPlace.ts"
import { limited } from "./limited.ts"

/** What is left of a project's day, and who else it is shared with. */
export interface ProjectBalance {
  readonly balance: CreditLedger.Balance
  readonly place: LedgerPlace
  /** Where networks are paid from accounts at providers: each balance, the common one without `prices`. */
  readonly accounts?: ReadonlyArray<AccountBalance> | undefined
}

export interface AccountBalance {
  readonly prices?: PriceSheet.PriceSheet | undefined
  readonly balance: CreditLedger.Balance
}

export class Ledgers {
  readonly #file: LedgerFile
  /** What the editor keeps for the workspace, for a host without files. */
  readonly #texts: CreditLedger.Texts
  readonly #gate: Gate
  readonly #isTrusted: () => boolean
  readonly #scope = Scope.makeUnsafe()
  readonly #counts = new Map<string, Promise<CreditLedger.CreditLedger["Service"]>>()
  /** Places of which a ledger was opened, whatever the account. */
  readonly #used = new Set<string>()

  constructor(file: LedgerFile, texts: CreditLedger.Texts, gate: Gate, isTrusted: () => boolean) {
    this.#file = file
    this.#texts = texts
    this.#gate = gate
    this.#isTrusted = isTrusted
  }

  placeOf({ config, workspace }: Project): LedgerPlace {
    return ledgerPlace(config, workspace, this.#file, this.#isTrusted())
  }

  /** Whether the project's ledger was used already: one on a server is not reached for before something runs. */
  isOpen(project: Project): boolean {
    const place = this.placeOf(project)
    return place.kind !== "server" || this.#used.has(keyOf(place))
  }

  /** The project's ledger. */
  layerOf(project: Project): Layer.Layer<CreditLedger.CreditLedger> {
    const { limits = {} } = project.config
    const open = (place: LedgerPlace) => (account: CreditLedger.AccountToOpen | undefined) => {
      const daily =
        account === undefined ? (limits.daily ?? CreditLedger.defaultDaily) : accountLimit(limits, account.prices)
      const count = Effect.promise(() => this.#countAt(project, place, account))
      return limited(daily).pipe(Layer.provide(Layer.effect(CreditLedger.CreditLedger, count)))
    }
    const networks = networksEverywhere(project.workspace)
    const place = this.placeOf(project)
    return (place.kind === "file" || place.kind === "workspace") && project.config.ledger === undefined
      ? CreditLedger.layerAccountsApart(networks, open(place), open({ kind: "window" }))
      : CreditLedger.layerAccounts(networks, open(place))
  }

  /** Rejects with `LedgerUnavailable` when nobody knows. */
  async balance(project: Project): Promise<ProjectBalance> {
    const used = new Set(
      project.workspace.networks.flatMap(({ network, problem }) => (problem === undefined ? [network.account] : [])),
    )
    const read = Effect.gen(function* () {
      const ledger = yield* CreditLedger.CreditLedger
      const balance = yield* ledger.balance
      const accounts: Array<AccountBalance> = used.has(undefined) ? [{ balance }] : []
      for (const { id, ledger: own, prices } of ledger.accounts?.values() ?? [])
        if (used.has(id)) accounts.push({ prices, balance: yield* own.balance })
      return { balance, accounts: accounts.some(({ prices }) => prices !== undefined) ? accounts : undefined }
    })
    const { accounts, balance } = await Effect.runPromise(Effect.provide(read, this.layerOf(project)))
    return { balance, accounts, place: this.placeOf(project) }
  }

  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  #countAt(
    { configFile }: Project,
    place: LedgerPlace,
    account: CreditLedger.AccountToOpen | undefined,
  ): Promise<CreditLedger.CreditLedger["Service"]> {
    this.#used.add(keyOf(place))
    // The same account counts by another window once its price sheet says so.
    const key = [keyOf(place), payerOf(place, account, configFile?.uri), JSON.stringify(account?.prices.window)].join(
      " ",
    )
    const opened =
      this.#counts.get(key) ??
      Effect.runPromise(
        Layer.build(this.#open(place, account)).pipe(
          Scope.provide(this.#scope),
          Effect.map((context) => Context.get(context, CreditLedger.CreditLedger)),
        ),
      )
    this.#counts.set(key, opened)
    return opened
  }

  /** Without a limit of its own: it counts for projects with different ones. */
  #open(
    place: LedgerPlace,
    account: CreditLedger.AccountToOpen | undefined,
  ): Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions> {
    const [by, daily] = ["the editor", Number.POSITIVE_INFINITY]
    const window = account?.prices.window
    switch (place.kind) {
      case "window":
        return CreditLedger.layerMemory({ daily, window })
      case "file":
        return CreditLedger.layerFile(CreditLedger.accountFile(place.path, account?.id), { by, daily, window })
      case "workspace":
        return CreditLedger.layerTexts(this.#texts, {
          prefix: CreditLedger.accountPrefix(account?.id),
          by,
          daily,
          window,
        })
      case "server":
        return CreditLedger.layerRedis({
          url: place.url,
          privates: place.privates,
          prefix: CreditLedger.accountPrefix(account?.id),
          by,
          daily,
          window,
        }).pipe(Layer.provide(Layer.succeed(SecretGate, this.#gate)))
      case "unknown":
        return unknown(place)
    }
  }
}

/**
 * Who pays at a place. In memory each configuration counts for itself, as in a terminal: networks of the same name may be
 * others. An account is the same wherever it is used.
 */
const payerOf = (
  place: LedgerPlace,
  account: CreditLedger.AccountToOpen | undefined,
  config: string | undefined,
): string | undefined => account?.id ?? (place.kind === "window" ? config : undefined)

const unknown = ({
  advice = setIt,
  why,
}: {
  readonly why: string
  readonly advice?: string | undefined
}): Layer.Layer<CreditLedger.CreditLedger> => {
  const failure = Effect.fail(new RpcReason.LedgerUnavailable({ why, advice, retryable: false }))
  return Layer.succeed(CreditLedger.CreditLedger, {
    reserve: () => failure,
    settle: () => failure,
    release: () => failure,
    balance: failure,
  })
}

const setIt = 'Set it, or set "ledger" to "file" or "memory" in rpc.config.json.'
