/** The balance of a project in a command: which secrets its server is given, and what is set in it. */
import {
  configuredLedger,
  ledgerServer,
  ledgerUrl,
  type PrivateUse,
  privatesOfUrl,
  type Read,
  usesAt,
} from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { refusedBy } from "@dotrpc/project"
import { ledgerFile, ledgerLayer, loadPostgres } from "@dotrpc/project/ledger"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { type Gate, type Network, SecretGate } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
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
  /** Hears what the ledger cannot do; a line on stderr by default. */
  heard?: (words: string) => void,
): Effect.Effect<Layer.Layer<CreditLedger.CreditLedger, CommandFailed>, CommandFailed, Host | Output> =>
  Effect.gen(function* () {
    const refused = refusedLedger(project, gate, read)
    if (refused !== undefined) return yield* refused
    const { stderr } = yield* Output
    const warn = heard ?? ((words: string) => stderr.line(`dotrpc: warning: ${words}`))
    return Layer.catchTag(
      ledgerLayer(project, { surroundings: yield* Host, gate, read, by, warn }),
      "LedgerProblem",
      ({ message }) => Layer.effect(CreditLedger.CreditLedger, Effect.fail(invalid(message))),
    )
  })

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
          : Effect.flatMap(loadPostgres, (postgres) =>
              postgres.setSpent({ url, privates, name: prefix, window }, spent),
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
