/**
 * The balances of keys in one SQLite file, shared by every gateway of this machine that uses it.
 *
 * Invariant: a key is looked up by its hash, so the file never contains a usable key; and a charge is in the file
 * before its call is answered, so that ending a process never restores credits.
 */
import { statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import type { ClockReading } from "@dotrpc/spec"
import { Effect, type Scope } from "effect"
import { type Balances, BalancesUnavailable, readingAt } from "../metering/Balances.ts"
import { clocks } from "../metering/clocks.ts"
import { balanceRowsIn, type BalanceRows } from "./balanceRows.ts"
import { closeBalanceFile, openBalanceFile } from "./openBalanceFile.ts"
import { accountName, reportOutages } from "./sharedBalances.ts"

/** The file that balances are kept in. */
export interface FileBalancesOptions {
  /** The file, which is made when it does not exist, for its owner's eyes only. */
  readonly path: string
}

/**
 * Balances in a SQLite file. Any number of gateways may use it at once; together they never spend more than the daily balance.
 * Needs Node 22.13 or newer.
 *
 * Fails with `BalancesUnavailable` when the file cannot be used, is damaged, or belongs to another program: a balance that cannot
 * be read is never taken for a new one. Operations fail with it while another process keeps the file locked. A power cut may
 * lose the charges of the last moments. A new day begins when the wall clock and the time since the machine was started agree
 * that it has; charges of the latest 60 days are kept.
 *
 * @example
 * ```ts
 * const balances = yield* fileBalances({ path: "/var/lib/gateway/balances.sqlite" })
 * const served = yield* serve({ keys, balances })
 * ```
 */
export const fileBalances = Effect.fnUntraced(function* ({
  path,
}: FileBalancesOptions): Effect.fn.Return<Balances, BalancesUnavailable, Scope.Scope> {
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => openBalanceFile(path), catch: (error) => unavailable(path, error) }),
    (open) => Effect.sync(() => closeBalanceFile(open)),
  )
  const now = yield* clocks
  const rows = yield* Effect.try({
    try: () => readyAccounts(database, now),
    catch: (error) => unavailable(path, error),
  })
  const reported = reportOutages(path)
  const opened = identityOf(path)
  const step = <A>(body: () => A): A => {
    // In a file that others no longer find, they would not see what is written here.
    if (identityOf(path) !== opened)
      throw new BalancesUnavailable({
        why: `the balances in ${path} were removed or replaced: put the file back with those beside it, or start the gateway again to use what is there`,
      })
    return body()
  }
  const ask = <A>(body: () => A) =>
    reported(Effect.try({ try: () => step(body), catch: (error) => unavailable(path, error) }))
  return {
    admit: (key, charges, limits, now) => ask(() => rows.admit(accountName(key), charges, limits, readingAt(now))),
    refund: (key, charge, day, now) => ask(() => rows.refund(accountName(key), charge, day, readingAt(now))),
    balance: (key, now) => ask(() => rows.balance(accountName(key), readingAt(now))),
  }
})

/** What distinguishes the database and its log from others that have taken their names. */
const identityOf = (path: string): string =>
  [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? "gone" : `${stats.dev} ${stats.ino}`))
    .join(", ")

const readyAccounts = (database: DatabaseSync, now: ClockReading): BalanceRows => {
  const rows = balanceRowsIn(database)
  rows.check()
  rows.forget(now)
  return rows
}

const unavailable = (path: string, error: unknown): BalancesUnavailable => {
  if (error instanceof BalancesUnavailable) return error
  const said = error instanceof Error ? error.message : String(error)
  const code =
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0
  if (code === 5 || code === 6) return new BalancesUnavailable({ why: `another process has locked ${path}` })
  if (code === 11 || code === 26)
    return new BalancesUnavailable({
      why: `the balances in ${path} are damaged (${said}): restore the file, or remove it to begin with nothing spent`,
    })
  return new BalancesUnavailable({
    why: `the balances in ${path} cannot be used (${said}): check that the file is writable and that the disk is not full`,
  })
}
