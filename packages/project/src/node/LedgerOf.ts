/** Where the balance of a project is kept: in memory, in the user's file, or on a Redis or PostgreSQL server. */
import {
  accountLimit,
  configuredLedger,
  ledgerServer,
  ledgerUrl,
  networksEverywhere,
  privatesOfUrl,
  type Read,
} from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import type { Project } from "@dotrpc/session"
import { type Gate, type Options, SecretGate } from "@dotrpc/spec"
import { Data, Effect, Layer } from "effect"
import { lstatSync } from "node:fs"
import { dirname } from "node:path"
import * as AtomicFile from "./AtomicFile.ts"
import { makeFolders } from "./makeFolders.ts"
import type { Surroundings } from "./Surroundings.ts"

/** Why the balance that a configuration names cannot be used. */
export class LedgerProblem extends Data.TaggedError("LedgerProblem")<{ readonly message: string }> {}

/** What the ledger of a project is opened with. */
export interface LedgerChoices {
  readonly surroundings: Pick<Surroundings, "env" | "home">
  /** Asked before each connection to a server; without it, everything passes. */
  readonly gate?: Gate | undefined
  /** What a run has read, which a server gets as what each call costs. */
  readonly read?: ReadonlyArray<Read> | undefined
  /** What spends, as `dotrpc credits` names it. */
  readonly by?: string | undefined
  /** Gets a sentence where the usual file cannot be written, and credits are counted in memory. */
  readonly warn?: ((words: string) => void) | undefined
}

/** The ledger that the terminals, editors and scripts of a user share: the common one, or that of an account. */
export const ledgerFile = ({ env, home }: Pick<Surroundings, "env" | "home">, account?: string): string =>
  CreditLedger.accountFile(CreditLedger.defaultFile({ platform: process.platform, home, env }), account)

/**
 * The ledger that `rpc.config.json` names; the user's file when it names none. The layer fails with `LedgerProblem` when a secret in its URL is
 * not set, or a limit makes no sense.
 */
export const ledgerLayer = (
  { config, workspace }: Pick<Project, "config" | "workspace">,
  { by, gate, read = [], surroundings, warn }: LedgerChoices,
): Layer.Layer<CreditLedger.CreditLedger, LedgerProblem> => {
  const { limits = {} } = config
  const ledger = configuredLedger(config, workspace)
  const networks = networksEverywhere(workspace)
  const balanceOf = (account: CreditLedger.AccountToOpen | undefined) =>
    account === undefined
      ? { daily: limits.daily ?? CreditLedger.defaultDaily }
      : { daily: accountLimit(limits, account.prices), window: account.prices.window }
  const inMemory = (account: CreditLedger.AccountToOpen | undefined) =>
    orProblem(CreditLedger.layerMemory(balanceOf(account)))
  if (ledger === "memory") return CreditLedger.layerAccounts(networks, inMemory)
  if (ledger === "file") {
    const file = ledgerFile(surroundings)
    if (config.ledger === undefined && !isThereOrNew(file)) {
      // Such as in a container whose file system is read-only: nobody asked for a file there.
      warn?.(`${file} cannot be written: credits are counted for this run alone`)
      return CreditLedger.layerAccounts(networks, inMemory)
    }
    const inFile = (account: CreditLedger.AccountToOpen | undefined) =>
      orProblem(CreditLedger.layerFile(ledgerFile(surroundings, account?.id), { by, ...balanceOf(account) }))
    return config.ledger === undefined
      ? CreditLedger.layerAccountsApart(networks, inFile, inMemory)
      : CreditLedger.layerAccounts(networks, inFile)
  }
  const onServer = Effect.gen(function* () {
    const url = yield* Effect.try({
      try: () => ledgerUrl(ledger, workspace),
      catch: (error) => new LedgerProblem({ message: error instanceof Error ? error.message : String(error) }),
    })
    const privates = [...read, ...privatesOfUrl(ledger, workspace)]
    if (ledgerServer(url) === "redis")
      return CreditLedger.layerAccounts(networks, (account) =>
        orProblem(
          CreditLedger.layerRedis({
            url,
            privates,
            prefix: CreditLedger.accountPrefix(account?.id),
            by,
            ...balanceOf(account),
          }),
        ),
      )
    const { layer } = yield* loadPostgres
    return CreditLedger.layerAccounts(networks, (account) =>
      orProblem(layer({ url, privates, name: CreditLedger.accountPrefix(account?.id), by, ...balanceOf(account) })),
    )
  })
  return Layer.provide(Layer.unwrap(onServer), gate === undefined ? Layer.empty : Layer.succeed(SecretGate, gate))
}

/** Most projects need none of it. */
export const loadPostgres = Effect.promise(() => import("@dotrpc/core/PostgresLedger"))

const orProblem = (ledger: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>) =>
  Layer.catchTag(ledger, "InvalidOptions", ({ message }) =>
    Layer.effect(CreditLedger.CreditLedger, Effect.fail(new LedgerProblem({ message }))),
  )

/** Whether something has the name of a file, which the ledger judges, or a file can be made there: permissions do not say so everywhere. */
const isThereOrNew = (file: string): boolean => {
  try {
    makeFolders(dirname(file), 0o700)
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) AtomicFile.rehearse(file)
    return true
  } catch {
    return false
  }
}
