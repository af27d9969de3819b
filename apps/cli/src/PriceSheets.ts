/** The price sheets that `--prices` names: those of providers by their ids, your own by the path of a file. */
import { parsePriceSheet, unknownProvider } from "@dotrpc/analysis"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { sheetOf } from "@dotrpc/prices"
import { ExitCode } from "@dotrpc/runner"
import type { PriceSheet } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { Host } from "./Host.ts"
import { openSource } from "./SourceFiles.ts"

/** Fails in words about every name that is not a sheet. */
export const sheetsNamed = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<PriceSheet.PriceSheet>, CommandFailed, Host> {
  const host = yield* Host
  const found = yield* Effect.promise((signal) => Promise.all(names.map((name) => sheetNamed(host, name, signal))))
  const problems = found.flatMap((each) => (Array.isArray(each) ? each : []))
  if (problems.length > 0) return yield* new CommandFailed({ lines: problems, exitCode: ExitCode.invalid })
  return found.flatMap((each) => (Array.isArray(each) ? [] : [each]))
})

/** The sheets of `--prices alchemy,infura,./ours.json`, each once; none without the flag. */
export const sheetsOf = Effect.fnUntraced(function* (list: Option.Option<string>) {
  if (Option.isNone(list)) return []
  const names = list.value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  if (names.length > 0) return yield* sheetsNamed([...new Set(names)])
  const line =
    "--prices names no price sheet: write the ids of providers, or the paths of sheets, such as alchemy,./ours.json"
  return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
})

/** The sheet of a flag that takes one; `why` says so to a person who names several. */
export const oneSheet = Effect.fnUntraced(function* (
  name: string,
  why: string,
): Effect.fn.Return<PriceSheet.PriceSheet, CommandFailed, Host> {
  const isList = name.includes(",") && !isPath(name)
  const [sheet] = isList ? [] : yield* sheetsNamed([name])
  if (sheet !== undefined) return sheet
  const line = `--prices names several price sheets, "${name}": ${why}, so name one of them`
  return yield* new CommandFailed({ lines: [line], exitCode: ExitCode.invalid })
})

/** The sheet, or lines about what is wrong. */
const sheetNamed = async (
  host: Host["Service"],
  name: string,
  signal: AbortSignal,
): Promise<PriceSheet.PriceSheet | Array<string>> => {
  if (!isPath(name)) return sheetOf(name) ?? [unknownProvider(name)]
  const source = await openSource(host, name, signal)
  if (typeof source === "string") return [source]
  const { problems, sheet } = parsePriceSheet(source.text)
  if (sheet !== undefined) return sheet
  const lines = lineIndex(source.text)
  return problems.map(({ message, start }) => {
    const { character, line } = positionAt(lines, start)
    return `${source.file}:${line + 1}:${character + 1}: ${message}`
  })
}

/** Ids of providers have neither a dot nor a slash. */
const isPath = (name: string): boolean => /[./\\]/.test(name)
