/** Where the balance of a project is kept: in memory, in the user's file, or on a Redis or PostgreSQL server. */
import {
  accountLimit,
  configuredLedger,
  ledgerServer,
  ledgerUrl,
  networksEverywhere,
  type PrivateUse,
  privatesOfUrl,
  type Read,
  usesAt,
} from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { refusedBy } from "@dotrpc/project"
import { AtomicFile, makeFolders, type Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { type Gate, type Network, type Options, SecretGate } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { lstatSync } from "node:fs"
import { dirname } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"
import { ledgerFile } from "./UserData.ts"
import { Host } from "./Host.ts"
import { Output } from "./Output.ts"

/**
 * What the server of the ledger is given: the secrets in its URL, and what a run has `read`, since it gets what each call costs, or that
 * there is none.
 */
export const ledgerUses = (
  { config, workspace }: Project,
  read: ReadonlyArray<Read> = [],
): ReadonlyArray<PrivateUse> => {
  const ledger = configuredLedger(config, workspace)
  try {
    return usesAt(ledgerUrl(ledger, workspace), [...read, ...privatesOfUrl(ledger, workspace)])
  } catch {
    // One that is not set is sent nowhere; `ledgerOf` says so.
    return []
  }
}

/** What recordings answer is not paid for: no ledger is asked, which may be on a server. */
export const untouchedLedger: Layer.Layer<CreditLedger.CreditLedger> = Layer.orDie(
  CreditLedger.layerMemory({ daily: Number.POSITIVE_INFINITY }),
)

/**
 * The ledger that `rpc.config.json` names; the user's file when it names none. Fails when a secret in its URL is not set,
 * or may not be sent there.
 */
export const ledgerOf = (
  project: Project,
  gate: Gate,
  read: ReadonlyArray<Read> = [],
  /** What spends, as `dotrpc credits` names it. */
  by = "dotrpc",
): Effect.Effect<Layer.Layer<CreditLedger.CreditLedger, CommandFailed>, CommandFailed, Host | Output> =>
  Effect.map(namedLedger(project, gate, read, by), Layer.provide(Layer.succeed(SecretGate, gate)))

const namedLedger = (project: Project, gate: Gate, read: ReadonlyArray<Read>, by: string) =>
  Effect.gen(function* () {
    const { config, workspace } = project
    const refused = refusedLedger(project, gate, read)
    if (refused !== undefined) return yield* refused
    const { limits = {} } = config
    const ledger = configuredLedger(config, workspace)
    const networks = networksEverywhere(workspace)
    const balanceOf = (account: CreditLedger.AccountToOpen | undefined) =>
      account === undefined
        ? { daily: limits.daily ?? CreditLedger.defaultDaily }
        : { daily: accountLimit(limits, account.prices), window: account.prices.window }
    const inMemory = (account: CreditLedger.AccountToOpen | undefined) =>
      orCommandFailed(CreditLedger.layerMemory(balanceOf(account)))
    if (ledger === "memory") return CreditLedger.layerAccounts(networks, inMemory)
    if (ledger === "file") {
      const host = yield* Host
      if (config.ledger === undefined && !isThereOrNew(ledgerFile(host))) {
        // Such as in a container whose file system is read-only: nobody asked for a file there.
        const { stderr } = yield* Output
        stderr.line(`dotrpc: warning: ${ledgerFile(host)} cannot be written: credits are counted for this run alone`)
        return CreditLedger.layerAccounts(networks, inMemory)
      }
      const inFile = (account: CreditLedger.AccountToOpen | undefined) =>
        orCommandFailed(CreditLedger.layerFile(ledgerFile(host, account?.id), { by, ...balanceOf(account) }))
      return config.ledger === undefined
        ? CreditLedger.layerAccountsApart(networks, inFile, inMemory)
        : CreditLedger.layerAccounts(networks, inFile)
    }
    const url = yield* Effect.try({
      try: () => ledgerUrl(ledger, workspace),
      catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
    })
    const privates = [...read, ...privatesOfUrl(ledger, workspace)]
    if (ledgerServer(url) === "postgres") {
      const { PostgresLedger } = yield* loadPostgres
      return CreditLedger.layerAccounts(networks, (account) =>
        orCommandFailed(
          PostgresLedger.layer({
            url,
            privates,
            name: CreditLedger.accountPrefix(account?.id),
            by,
            ...balanceOf(account),
          }),
        ),
      )
    }
    return CreditLedger.layerAccounts(networks, (account) =>
      orCommandFailed(
        CreditLedger.layerRedis({
          url,
          privates,
          prefix: CreditLedger.accountPrefix(account?.id),
          by,
          ...balanceOf(account),
        }),
      ),
    )
  })

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

/** Most projects need none of it. */
const loadPostgres = Effect.promise(() => import("./PostgresBalance.ts"))

const orCommandFailed = (ledger: Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>) =>
  Layer.catchTag(ledger, "InvalidOptions", ({ message }) =>
    Layer.effect(CreditLedger.CreditLedger, Effect.fail(invalid(message))),
  )

const invalid = (line: string) => new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })

/**
 * Sets what was spent today, or in the window of an account, in the ledger that `rpc.config.json` names. Fails where each run
 * counts on its own.
 */
export const setSpent = (
  project: Project,
  account: CreditLedger.AccountToOpen | undefined,
  spent: number,
  gate: Gate,
): Effect.Effect<void, CommandFailed, Host> => {
  const { config, workspace } = project
  const refused = refusedLedger(project, gate)
  if (refused !== undefined) return Effect.fail(refused)
  const window = account?.prices.window
  const ledger = configuredLedger(config, workspace)
  if (ledger === "memory")
    return Effect.fail(invalid('each run is counted separately here: add "ledger": "file" to rpc.config.json first'))
  return Effect.flatMap(Host, (host) =>
    Effect.try({
      try: () => {
        if (ledger === "file") return CreditLedger.setSpentInFile(ledgerFile(host, account?.id), spent, window)
        const url = ledgerUrl(ledger, workspace)
        const prefix = CreditLedger.accountPrefix(account?.id)
        const privates = privatesOfUrl(ledger, workspace)
        return ledgerServer(url) === "redis"
          ? CreditLedger.setSpentOnRedis({ url, privates, prefix, window }, spent)
          : Effect.flatMap(loadPostgres, ({ PostgresLedger }) =>
              PostgresLedger.setSpent({ url, privates, name: prefix, window }, spent),
            )
      },
      catch: (error) => invalid(error instanceof Error ? error.message : String(error)),
    }),
  ).pipe(
    Effect.flatMap((set) => set),
    Effect.provideService(SecretGate, gate),
    Effect.mapError((error) =>
      error instanceof CommandFailed
        ? error
        : new CommandFailed({ lines: [error.message, error.advice], exitCode: ExitCode.refused }),
    ),
  )
}

/** Why the server of the ledger may not be sent the secrets in its URL. */
const refusedLedger = (project: Project, gate: Gate, read: ReadonlyArray<Read> = []): CommandFailed | undefined => {
  const [refused] = refusedBy(gate, ledgerUses(project, read))
  return refused === undefined
    ? undefined
    : new CommandFailed({ lines: [`the ledger is not used: ${refused}`], exitCode: ExitCode.invalid })
}

/** Whether calls of a project to these networks are paid from a balance that outlives this command; any calls where none are given. */
export const isShared = ({ config, workspace }: Project, networks?: ReadonlyArray<Network>): boolean =>
  configuredLedger(config, workspace) !== "memory" &&
  (config.ledger !== undefined || networks === undefined || !networks.every(CreditLedger.isEmbedded))
