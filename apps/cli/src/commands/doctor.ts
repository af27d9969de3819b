/** `dotrpc doctor`: what would keep a command from working here, and what to do. */
import { configuredLedger } from "@dotrpc/analysis"
import { CreditLedger } from "@dotrpc/core"
import { positionAt } from "@dotrpc/lang/locate"
import { ledgerFile } from "@dotrpc/project/ledger"
import { type Project, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Json, Price, Visible } from "@dotrpc/spec"
import { Clock, Effect, Result } from "effect"
import { Command } from "effect/cli"
import { existsSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { warningsIn } from "../Documents.ts"
import { Host, shownPath } from "../Host.ts"
import { ledgerOf } from "../Ledger.ts"
import { Output } from "../Output.ts"
import { proxiesIn } from "../ProxiedHttp.ts"
import { decideUses } from "../SecretHosts.ts"
import { versionLine } from "../version.ts"
import { balancesIn } from "./credits.ts"
import { formatFlag } from "./flags.ts"
import { ledgerFailure } from "./ledgerProject.ts"
import { lackOf } from "./networks.ts"
import { projectAsIs, projectFlags } from "./projectHere.ts"

/** What was looked at, and what to do about it. */
interface Finding {
  readonly about: "versions" | "configuration" | "plugins" | "networks" | "keys" | "proxies" | "ledger" | "clock"
  readonly status: "ok" | "note" | "problem"
  readonly message: string
  readonly advice?: string | undefined
}

export const doctorCommand = Command.make(
  "doctor",
  { format: formatFlag, ...projectFlags },
  Effect.fnUntraced(function* (flags) {
    const host = yield* Host
    const { stdout, writeJson } = yield* Output
    const { file, project } = yield* projectAsIs(flags)
    const findings: ReadonlyArray<Finding> = [
      versions(),
      configuration(host, file, project),
      ...warned(host, project),
      ...plugins(project),
      ...networks(project),
      ...keys(file === undefined ? undefined : dirname(file)),
      yield* proxies(),
      yield* ledger(project),
      ...clock(ledgerFile(host), yield* Clock.currentTimeMillis),
    ]
    const ok = findings.every(({ status }) => status !== "problem")
    if (flags.format === "json") writeJson(`${Json.stringify({ version: 1, ok, findings: findings.map(jsonOf) }, 2)}\n`)
    else
      for (const { about, advice, message, status } of findings) {
        const mark = status === "problem" ? stdout.colors.red("✗") : status === "note" ? stdout.colors.yellow("!") : "✓"
        stdout.write(`${mark} ${about.padEnd(14)}${Visible.line(message)}\n`)
        if (advice !== undefined) stdout.write(`${" ".repeat(16)}${Visible.line(advice)}\n`)
      }
    // Without a configuration that can be read, nothing else of the project is known.
    if (project.problems.length > 0) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
    if (!ok) return yield* new CommandFailed({ lines: [], exitCode: ExitCode.checkFailed })
  }),
).pipe(
  Command.withDescription("Look for what would keep a command from working here, and say what to do; sends nothing"),
  Command.withExamples([{ command: "dotrpc doctor", description: "The project of this folder" }]),
)

const jsonOf = ({ about, advice, message, status }: Finding): Json.JsonObject => ({
  about,
  status,
  message,
  advice: advice ?? null,
})

const versions = (): Finding => {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split(".").map(Number)
  const message = `${versionLine}, Node ${node}`
  return major > 22 || (major === 22 && minor >= 13)
    ? { about: "versions", status: "ok", message }
    : {
        about: "versions",
        status: "note",
        message,
        advice: "backfills in a folder need Node 22.13 or newer, which has SQLite; everything else works",
      }
}

const configuration = (host: Host["Service"], file: string | undefined, { problems }: Project): Finding => {
  const about = "configuration"
  if (problems.length > 0)
    return {
      about,
      status: "problem",
      message: problems.map(showProblem).join("; "),
      advice: file !== undefined && !existsSync(file) ? "name a file that is there" : "correct the file",
    }
  return file === undefined
    ? {
        about,
        status: "note",
        message: "there is no rpc.config.json: only the built-in networks are known",
        advice: "dotrpc init writes one",
      }
    : { about, status: "ok", message: shownPath(host, file) }
}

/** What `dotrpc check` says of the configuration; plugins are said apart. */
const warned = (host: Host["Service"], project: Project): ReadonlyArray<Finding> =>
  warningsIn(host, project, false).flatMap(({ file, text, warnings }) =>
    warnings
      .filter(({ code }) => code !== "A502")
      .map(({ code, message, start }) => {
        const { character, line } = positionAt(text, start)
        return {
          about: code === "A501" ? "keys" : "configuration",
          status: "note",
          message: `${file}:${line + 1}:${character + 1}: ${message}`,
          advice: `dotrpc explain ${code} says more`,
        }
      }),
  )

const plugins = ({ withheld }: Project): ReadonlyArray<Finding> =>
  withheld.map((entry) => ({
    about: "plugins",
    status: "problem",
    message: showProblem(entry),
    advice: "read its code, then run dotrpc trust",
  }))

/** Of a configuration that is wrong, the networks are those of no project. */
const networks = ({ config, problems, workspace }: Project): ReadonlyArray<Finding> =>
  (problems.length > 0 ? [] : workspace.networks).flatMap((entry): ReadonlyArray<Finding> => {
    const { hosts, network } = entry
    // A preset that nobody has given a URL is not part of the project.
    if (!Object.hasOwn(config.networks ?? {}, network.id)) return []
    const lack = lackOf(entry)
    if (lack !== undefined)
      return [{ about: "networks", status: "problem", message: lack.replace(/^(?=not set: )/, `${network.id}: `) }]
    const where = hosts?.url ?? hosts?.wsUrl
    if (where !== undefined && network.prices === undefined)
      return [
        {
          about: "networks",
          status: "note",
          message: `${network.id}: ${where}; no price sheet, so prices are those of the plugin`,
          advice: `add "prices" to the network; dotrpc prices lists the sheets`,
        },
      ]
    return [{ about: "networks", status: "ok", message: `${network.id}: ${where ?? "inside dotrpc"}` }]
  })

/** Others on this machine could read the keys. */
const keys = (home: string | undefined): ReadonlyArray<Finding> => {
  const file = home === undefined ? undefined : join(home, ".env")
  if (file === undefined || process.platform === "win32" || !existsSync(file)) return []
  return (statSync(file).mode & 0o077) === 0
    ? [{ about: "keys", status: "ok", message: ".env is readable by you alone" }]
    : [
        {
          about: "keys",
          status: "note",
          message: "other users of this machine may read .env",
          advice: "chmod 600 .env",
        },
      ]
}

const proxies = Effect.fnUntraced(function* (): Effect.fn.Return<Finding, never, Host> {
  const found = yield* Effect.result(proxiesIn((yield* Host).env))
  const about = "proxies"
  if (Result.isFailure(found)) return { about, status: "problem", message: found.failure.lines.join("; ") }
  const names = [found.success?.http?.variable, found.success?.https?.variable].filter((name) => name !== undefined)
  const message =
    names.length === 0 ? "none: calls go straight to their hosts" : `calls go through ${[...new Set(names)].join(", ")}`
  return { about, status: "ok", message }
})

const ledger = Effect.fnUntraced(function* (project: Project): Effect.fn.Return<Finding, never, Host | Output> {
  const about = "ledger"
  if (project.problems.length > 0) return { about, status: "note", message: "not opened: the configuration is wrong" }
  const kind = configuredLedger(project.config, project.workspace)
  if (kind !== "file" && kind !== "memory")
    return {
      about,
      status: "note",
      message: "it is on a server, which was not asked",
      advice: "dotrpc credits asks it",
    }
  const warnings: Array<string> = []
  const warn = (words: string) => void warnings.push(words)
  const balance = Effect.gen(function* () {
    const layer = yield* ledgerOf(project, yield* decideUses([], []), [], "dotrpc doctor", warn)
    return yield* Effect.flatMap(CreditLedger.CreditLedger, (opened) =>
      balancesIn(opened, project.workspace, undefined),
    ).pipe(Effect.provide(layer), Effect.mapError(ledgerFailure))
  })
  const opened = yield* Effect.result(balance)
  if (Result.isFailure(opened)) {
    const [message = "it cannot be used", ...advice] = opened.failure.lines
    return { about, status: "problem", message, advice: advice.length === 0 ? undefined : advice.join(" ") }
  }
  if (warnings.length > 0) return { about, status: "problem", message: warnings.join("; ") }
  const [first] = opened.success.accounts ?? []
  const { remaining } = first?.balance ?? opened.success.balance
  const left = Number.isFinite(remaining) ? `${Price.showCredits(remaining, first?.prices?.unit)} left` : "no limit"
  return { about, status: "ok", message: `${kind}: ${left}` }
})

/** What was written in the future was written by another clock. */
const clock = (file: string, now: number): ReadonlyArray<Finding> => {
  const ahead = existsSync(file) ? statSync(file).mtimeMs - now : 0
  return ahead < 300_000
    ? [
        {
          about: "clock",
          status: "ok",
          message: `${new Date(now).toISOString().slice(0, 16)}Z; a day ends at 00:00 UTC`,
        },
      ]
    : [
        {
          about: "clock",
          status: "problem",
          message: `the ledger was written ${Math.round(ahead / 60_000)} minutes in the future`,
          advice: "set the clock of this machine: until then, days of the balance end at the wrong time",
        },
      ]
}
