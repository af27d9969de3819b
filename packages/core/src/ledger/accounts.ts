/** Ledgers of a project whose networks are paid from several accounts: one for each, and one that all other networks share. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Network, PriceSheet } from "@dotrpc/spec"
import { type Account, CreditLedger } from "./Ledger.ts"

/** An account whose ledger is to be opened. */
export interface AccountToOpen {
  readonly id: string
  readonly prices: PriceSheet.PriceSheet
}

/** The id of the account that a network is paid from, of those that a ledger has; `undefined` for the common one. */
export const paidFrom = (accounts: ReadonlyMap<string, unknown> | undefined, network: Network): string | undefined =>
  [isEmbedded(network) ? ofRun(network.account) : undefined, network.account].find(
    (id) => id !== undefined && accounts?.has(id) === true,
  )

/** Whether a network is one of the gateway inside this process, which begins again with each of them. */
export const isEmbedded = ({ url }: Network): boolean =>
  url !== undefined && Redacted.value(url).startsWith("embedded:")

const ofRun = (account: string | undefined): string => (account === undefined ? "embedded" : `embedded ${account}`)

/** The accounts of these networks, each once. Those of networks without a price sheet have none: they share the common one. */
export const accountsOf = (networks: ReadonlyArray<Network>): ReadonlyArray<AccountToOpen> => {
  const found = new Map<string, PriceSheet.PriceSheet>()
  for (const { account, prices } of networks)
    if (account !== undefined && prices !== undefined && !found.has(account)) found.set(account, prices)
  return Array.from(found, ([id, prices]) => ({ id, prices }))
}

/**
 * A ledger for each account of these networks. `open` gives the one of an account, and the common one when it is given none:
 * each keeps its balance in a place of its own. The common one stands first where a network is paid from it, and where there
 * are no accounts; otherwise the first account does.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerAccounts(networks, (account) =>
 *   account === undefined
 *     ? CreditLedger.layerFile("credits.json", { daily: 3_000_000 })
 *     : CreditLedger.layerFile(`credits.${account.id}.json`, { daily: 100_000_000, window: account.prices.window }),
 * )
 * ```
 */
export const layerAccounts = <E, R>(
  networks: ReadonlyArray<Network>,
  open: (account: AccountToOpen | undefined) => Layer.Layer<CreditLedger, E, R>,
): Layer.Layer<CreditLedger, E, R> => {
  const accounts = accountsOf(networks)
  const [first] = accounts
  if (first === undefined) return open(undefined)
  const ledgerOf = (account: AccountToOpen | undefined) =>
    Effect.map(Layer.build(Layer.fresh(open(account))), (context) => Context.get(context, CreditLedger))
  return Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const opened = new Map<string, Account>()
      for (const account of accounts) opened.set(account.id, { ...account, ledger: yield* ledgerOf(account) })
      const isCommonUsed = networks.some(({ account }) => account === undefined)
      const primary = isCommonUsed ? undefined : opened.get(first.id)?.ledger
      return CreditLedger.of({ ...(primary ?? (yield* ledgerOf(undefined))), accounts: opened })
    }),
  )
}

/**
 * As {@link layerAccounts}, where `open` gives ledgers that outlive this process: embedded networks are paid from ledgers that
 * `openOfRun` gives.
 */
export const layerAccountsApart = <E, R>(
  networks: ReadonlyArray<Network>,
  open: (account: AccountToOpen | undefined) => Layer.Layer<CreditLedger, E, R>,
  openOfRun: (account: AccountToOpen | undefined) => Layer.Layer<CreditLedger, E, R>,
): Layer.Layer<CreditLedger, E, R> =>
  Layer.effect(
    CreditLedger,
    Effect.gen(function* () {
      const build = (layer: Layer.Layer<CreditLedger, E, R>) =>
        Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, CreditLedger))
      const embedded = networks.filter(isEmbedded)
      const kept = yield* build(
        layerAccounts(
          networks.filter((network) => !isEmbedded(network)),
          open,
        ),
      )
      const apart = yield* build(layerAccounts(embedded, openOfRun))
      const accounts = new Map(kept.accounts)
      if (embedded.length > 0) accounts.set(ofRun(undefined), { id: ofRun(undefined), ledger: apart })
      for (const account of apart.accounts?.values() ?? [])
        accounts.set(ofRun(account.id), { ...account, id: ofRun(account.id) })
      return CreditLedger.of({ ...kept, accounts })
    }),
  )

/** The file of an account, beside the common one: `credits.alchemy-1a2b3c4d.json`. Without an account it is that itself. */
export const accountFile = (path: string, account: string | undefined): string =>
  account === undefined ? path : `${path.replace(/\.json$/, "")}.${account.replaceAll(/[^\w-]/g, "_")}.json`

/** What the keys of an account begin with on a Redis server. */
export const accountPrefix = (account: string | undefined): string =>
  account === undefined ? "dotrpc" : `dotrpc:${account.replaceAll(/[^\w-]/g, "_")}`
