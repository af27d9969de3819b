/**
 * Balances that are asked for every call, as a provider does it for a key: in memory, in a file, or on a Redis server. The rule and
 * the places are those of `CreditLedger`, without leases, so that what is left is exact at every moment, for any number of processes.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { Destination, Redaction, type RpcReason } from "@dotrpc/spec"
import {
  admit,
  type Admission,
  type AdmissionLimits,
  type AdmittedCharge,
  refund,
  type SpentSince,
  spentSince,
} from "./ledger/admission.ts"
import { makeFileCell } from "./ledger/fileCell.ts"
import { makeRedisCell } from "./ledger/redisCell.ts"
import { makeRedisConnection } from "./ledger/redisConnection.ts"
import { type Rules, rulesInMemory, rulesOver } from "./ledger/store.ts"
import { eachDay } from "./ledger/window.ts"

export type { Admission, AdmissionLimits, AdmittedCharge, SpentSince }

/**
 * One balance. It resets at 00:00 UTC, by the clock of the place: the machine's, or the Redis server's. `at` says what time it is
 * instead, in milliseconds since 1970, as in a simulation. A clock that is set back restores nothing until it has insisted for an hour.
 *
 * Every operation fails with `LedgerUnavailable` while the place cannot be used, or what it keeps is damaged.
 */
export interface AdmissionLedger {
  /** Charges some calls, all or none. */
  readonly admit: (
    charges: ReadonlyArray<AdmittedCharge>,
    limits: AdmissionLimits,
    at?: number,
  ) => Effect.Effect<Admission, RpcReason.LedgerUnavailable>
  /** Returns what an admitted call did not cost, on the `day` of its admission; the sum spent today after that. */
  readonly refund: (
    charge: AdmittedCharge,
    day: number,
    at?: number,
  ) => Effect.Effect<number, RpcReason.LedgerUnavailable>
  /** What was spent today. */
  readonly spent: (at?: number) => Effect.Effect<SpentSince, RpcReason.LedgerUnavailable>
}

/** A balance for as long as this process lives. */
export const inMemory = (): AdmissionLedger => over(rulesInMemory())

/**
 * A balance in a small JSON file, which is made when it does not exist, for its owner's eyes only. Any number of processes of the
 * machine may use it. A power cut may lose the charges of the last moments.
 */
export const inFile = (path: string): AdmissionLedger =>
  over(
    rulesOver(
      makeFileCell(path, eachDay, {
        name: `the balance in ${path}`,
        repair: "Restore the file, or remove it to begin with nothing spent.",
        survivesPowerCuts: false,
      }),
    ),
  )

/** Balances on one Redis server, 6 or newer, by their names. Needs the package `ioredis`, which is loaded with the first call. */
export interface OnRedis {
  readonly named: (name: string) => AdmissionLedger
  readonly close: Effect.Effect<void>
}

/** `undefined` for a `url` that is not a Redis server's. */
export const onRedis = (url: string | Redacted.Redacted<string>): OnRedis | undefined => {
  const text = Redacted.isRedacted(url) ? Redacted.value(url) : url
  const server = Destination.ofServer(text)
  if (server?.kind !== "redis") return undefined
  const connection = makeRedisConnection(server, () => undefined, Redaction.secretsOfUrl(text))
  return {
    named: (name) =>
      over(
        rulesOver(
          makeRedisCell(connection, `{${name}}:ledger`, eachDay, {
            name: `the balance {${name}}:ledger on the Redis server`,
            repair: "Restore the key, or remove it to begin with nothing spent.",
          }),
        ),
      ),
    close: Effect.promise(connection.close),
  }
}

const over = (ask: Rules): AdmissionLedger => {
  // Those of this process need not be faster than each other.
  const { withPermit } = Semaphore.makeUnsafe(1)
  return {
    admit: (charges, limits, at) =>
      withPermit(ask((state, clock) => admit(state, charges, limits, eachDay, clock), { at })),
    refund: (charge, day, at) => withPermit(ask((state, clock) => refund(state, charge, day, eachDay, clock), { at })),
    spent: (at) => withPermit(ask((state, clock) => spentSince(state, eachDay, clock), { at })),
  }
}
