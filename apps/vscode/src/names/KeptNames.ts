/**
 * Names that somebody looked up, kept in the editor's state for all folders, so that each is paid for once a day.
 *
 * Invariant: a name is used on the endpoint it was read from, and for a day; names of a node on this machine are forgotten
 * with the window, as it may have another chain by then.
 */
import { type FoundNames, unitsKey } from "@dotrpc/runner"
import { Json, type KeptMap, keptMap, type KeptText, type Network, outlivesRun, shownName } from "@dotrpc/spec"
import * as vscode from "vscode"

/** More accounts than a person works with; beyond it the oldest are dropped. */
const mostAccounts = 2_000
const dayMillis = 86_400_000

/** What was found of an account; without a name it has none, or one that is not shown. */
interface Kept {
  readonly name?: string | undefined
  /** When it was looked up, in milliseconds since 1970. */
  readonly at: number
}

/** Names of accounts on a network, as they are shown. */
export interface NamesMessage {
  readonly kind: "names"
  /** Of the results that it applies to. */
  readonly key: string
  readonly names: Readonly<Record<string, string>>
}

export class KeptNames implements vscode.Disposable {
  /** By endpoint and account. */
  readonly #kept: KeptMap<Kept>
  /** Of nodes on this machine. */
  readonly #ofWindow = keptMap<Kept>({ most: mostAccounts })
  readonly #changed = new vscode.EventEmitter<NamesMessage>()

  /** What pages are to know about a look-up. */
  readonly onDidChange = this.#changed.event

  constructor(text: KeptText) {
    this.#kept = keptMap({ most: mostAccounts, in: { ...text, codec: { encode, decode } } })
  }

  /** Whether the account was looked up today. */
  knows(network: Network, account: string, now = Date.now()): boolean {
    return isFresh(this.#of(network).get(keyOf(network, account)), now)
  }

  /** The names of accounts of a network that are still good, as they are shown. */
  message(network: Network, now = Date.now()): NamesMessage {
    const start = keyOf(network, "")
    const named = this.#of(network)
      .entries()
      .flatMap(([key, kept]) => {
        const shown = key.startsWith(start) && isFresh(kept, now) && kept.name !== undefined && shownName(kept.name)
        return typeof shown === "string" ? [[key.slice(start.length), shown] as const] : []
      })
    return { kind: "names", key: endpointOf(network), names: Object.fromEntries(named) }
  }

  /** Keeps what a look-up found. */
  take(network: Network, { known, names }: Pick<FoundNames, "known" | "names">): void {
    const at = Date.now()
    this.#of(network).setAll(known.map((account) => [keyOf(network, account), { name: names.get(account), at }]))
    this.#changed.fire(this.message(network))
  }

  dispose(): void {
    this.#changed.dispose()
  }

  #of(network: Network): KeptMap<Kept> {
    return outlivesRun(network) ? this.#kept : this.#ofWindow
  }
}

/** Names a network without its key. */
export const endpointOf = (network: Network): string => unitsKey(network, "")

const isFresh = (kept: Kept | undefined, now: number): boolean =>
  kept !== undefined && kept.at <= now && now - kept.at < dayMillis

const keyOf = (network: Network, account: string): string => `${endpointOf(network)}\n${account}`

const encode = ({ at, name }: Kept): Json.Json => (name === undefined ? { at } : { name, at })

const decode = (json: Json.Json): Kept | undefined => {
  const { at, name } = Json.isObject(json) ? json : {}
  return typeof at === "number" ? { at, name: typeof name === "string" ? name : undefined } : undefined
}
