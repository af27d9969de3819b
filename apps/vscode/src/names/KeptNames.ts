/**
 * Names that somebody looked up, kept in the editor's state for all folders, so that each is paid for once a day.
 *
 * Invariant: a name is used on the endpoint it was read from, and for a day; names of a node on this machine are forgotten
 * with the window, as it may have another chain by then.
 */
import { type FoundNames, unitsKey } from "@dotrpc/runner"
import { type Network, outlivesRun, shownName } from "@dotrpc/spec"
import * as vscode from "vscode"

/** In the editor's state. */
const stateKey = "names"
/** More accounts than a person works with; beyond it the oldest are dropped. */
const mostAccounts = 2_000
const dayMillis = 86_400_000

/** What was found of an account; without a name it has none, or one that is not shown. */
interface Kept {
  readonly name?: string | undefined
  /** When it was looked up, in milliseconds since 1970. */
  readonly at: number
}

type Accounts = Readonly<Record<string, Kept>>

/** Names of accounts on a network, as they are shown. */
export interface NamesMessage {
  readonly kind: "names"
  /** Of the results that it applies to. */
  readonly key: string
  readonly names: Readonly<Record<string, string>>
}

export class KeptNames implements vscode.Disposable {
  readonly #state: Pick<vscode.Memento, "get" | "update">
  readonly #changed = new vscode.EventEmitter<NamesMessage>()
  /** By endpoint; of nodes on this machine. */
  readonly #ofWindow = new Map<string, Accounts>()

  /** What pages are to know about a look-up. */
  readonly onDidChange = this.#changed.event

  constructor(state: Pick<vscode.Memento, "get" | "update">) {
    this.#state = state
  }

  /** Whether the account was looked up today. */
  knows(network: Network, account: string, now = Date.now()): boolean {
    return isFresh(this.#accounts(network)[account], now)
  }

  /** The names of accounts of a network that are still good, as they are shown. */
  message(network: Network, now = Date.now()): NamesMessage {
    const named = Object.entries(this.#accounts(network)).flatMap(([account, { at, name }]) => {
      const shown = isFresh({ at }, now) && typeof name === "string" ? shownName(name) : undefined
      return shown === undefined ? [] : [[account, shown] as const]
    })
    return { kind: "names", key: endpointOf(network), names: Object.fromEntries(named) }
  }

  /** Keeps what a look-up found. */
  async take(network: Network, { known, names }: Pick<FoundNames, "known" | "names">): Promise<void> {
    const at = Date.now()
    const before = Object.entries(this.#accounts(network)).filter(([account]) => !known.includes(account))
    const found = known.map((account) => [account, { name: names.get(account), at }] as const)
    const accounts = Object.fromEntries([...before, ...found].slice(-mostAccounts))
    const endpoint = endpointOf(network)
    if (outlivesRun(network)) {
      const { [endpoint]: _, ...others } = this.#stored()
      await this.#state.update(stateKey, dropOldest({ ...others, [endpoint]: accounts }))
    } else this.#ofWindow.set(endpoint, accounts)
    this.#changed.fire(this.message(network))
  }

  dispose(): void {
    this.#changed.dispose()
  }

  #accounts(network: Network): Accounts {
    const endpoint = endpointOf(network)
    return (outlivesRun(network) ? this.#stored()[endpoint] : this.#ofWindow.get(endpoint)) ?? {}
  }

  #stored(): Readonly<Record<string, Accounts>> {
    return this.#state.get<Readonly<Record<string, Accounts>>>(stateKey, {})
  }
}

/** Names a network without its key. */
export const endpointOf = (network: Network): string => unitsKey(network, "")

const isFresh = (kept: Kept | undefined, now: number): boolean =>
  kept !== undefined && kept.at <= now && now - kept.at < dayMillis

/** Endpoints that were asked first lose theirs first. */
const dropOldest = (stored: Readonly<Record<string, Accounts>>): Readonly<Record<string, Accounts>> => {
  let left = mostAccounts
  const latest = Object.entries(stored).toReversed()
  const kept = latest.flatMap(([endpoint, accounts]) => {
    const entries = Object.entries(accounts).slice(-Math.max(1, left))
    left -= entries.length
    return left < 0 ? [] : [[endpoint, Object.fromEntries(entries)] as const]
  })
  return Object.fromEntries(kept.toReversed())
}
