/** Where the balance of a project is kept: in memory, in the user's file, or on a Redis server. */
import { ledgerAddress } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import type { Project } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect, type Layer } from "effect"
import { homedir } from "node:os"
import { CommandFailed } from "./CommandFailed.ts"

/** The ledger that `rpc.config.json` names; one in memory when it names none. Fails when a secret in its address is not set. */
export const ledgerOf = ({
  config,
  workspace,
}: Project): Effect.Effect<Layer.Layer<CreditLedger.CreditLedger>, CommandFailed> => {
  const { ledger = "memory", limits } = config
  const daily = limits?.daily ?? CreditLedger.defaultDaily
  if (ledger === "memory") return Effect.succeed(CreditLedger.layerMemory({ daily }))
  if (ledger === "file") {
    if (!hasSqlite()) {
      process.stderr.write(`dotrpc: warning: ${noSqlite}\n`)
      return Effect.succeed(CreditLedger.layerMemory({ daily }))
    }
    hideSqliteWarning()
    return Effect.succeed(CreditLedger.layerFile(userFile(), { daily, onSetAside }))
  }
  return Effect.try({
    try: () => CreditLedger.layerRedis({ url: ledgerAddress(ledger, workspace), daily }),
    catch: (error) =>
      new CommandFailed({
        lines: [error instanceof Error ? error.message : String(error)],
        exitCode: ExitCode.invalid,
      }),
  })
}

/** Whether the balance that a project shares cannot be read by this Node. */
export const isOutOfReach = ({ config }: Project): boolean => config.ledger === "file" && !hasSqlite()

/** Node has SQLite without a flag from 22.13 on; `dotrpc` itself runs on 20. */
const hasSqlite = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}

const noSqlite = `the shared ledger file needs Node 22.13 or newer, and this is ${process.version}: credits are counted for this run alone`

const userFile = () => CreditLedger.defaultFile({ platform: process.platform, home: homedir(), env: process.env })

const onSetAside = ({ message }: CreditLedger.SetAside): Effect.Effect<void> =>
  Effect.sync(() => process.stderr.write(`dotrpc: warning: ${message}\n`))

/** Node 22 says with every run that its SQLite may change; what the ledger uses of it has not. Other warnings are shown. */
const hideSqliteWarning = (): void => {
  process.removeAllListeners("warning").on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite")) return
    process.stderr.write(`dotrpc: ${warning.name}: ${warning.message}\n`)
  })
}
