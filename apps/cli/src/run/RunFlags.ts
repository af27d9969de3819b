/** The flags of a run, and which of them cannot stand together. */
import type { PriceSheet } from "@dotrpc/spec"
import type { Option } from "effect"
import type { Cassettes } from "../Cassettes.ts"
import type { ReportFormat } from "../ReportFormat.ts"

/** Flags of a run, and of a call that is a run of its own. */
export interface RunFlags {
  readonly files: ReadonlyArray<string>
  readonly env: Option.Option<string>
  readonly network: Option.Option<string>
  readonly compare: Option.Option<string>
  readonly name: ReadonlyArray<string>
  readonly tag: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
  readonly maxCredits: Option.Option<number>
  readonly dryRun: boolean
  readonly prices: Option.Option<string>
  readonly format: ReportFormat
  /** Whether annotations of lines go to stdout beside the report of `output`. */
  readonly annotates?: boolean | undefined
  readonly rows: Option.Option<number>
  readonly output: Option.Option<string>
  readonly record: Option.Option<string>
  readonly replay: Option.Option<string>
  readonly allowWrites: boolean
  readonly update: boolean
  readonly resume: boolean
  readonly reuse: boolean
  /** Whether the final blocks that requests with `# @all` read are kept. */
  readonly keep: boolean
  /** By default, in CI. */
  readonly allOrNothing: Option.Option<boolean>
  readonly bail: boolean
  readonly parallel: number
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly strict: boolean
  readonly allowHosts: ReadonlyArray<string>
  readonly trace: boolean
  readonly quiet: boolean
  /** Whether the report for people has results alone. */
  readonly bare?: boolean | undefined
}

/** Why these flags cannot stand together. */
export const contradictionIn = (
  flags: RunFlags,
  {
    cassettes,
    sheets,
  }: { readonly cassettes: Cassettes | undefined; readonly sheets: ReadonlyArray<PriceSheet.PriceSheet> },
): string | undefined => {
  const ofCassettes = cassettes !== undefined
  const partly = (flag: string, each: string) =>
    cassettes?.isReplay === true
      ? `--replay answers every ${each} and pays for none: remove ${flag}`
      : `--record needs the answer of every ${each}, and ${flag} sends only some of them: remove one of the two`
  const table: ReadonlyArray<readonly [boolean, string]> = [
    [sheets.length > 0 && !flags.dryRun, "--prices compares what a plan would cost: add --dry-run"],
    [flags.resume && ofCassettes, partly("--resume", "row")],
    [flags.reuse && ofCassettes, partly("--reuse", "request")],
    [
      flags.keep && ofCassettes,
      `--${cassettes?.isReplay === true ? "replay" : "record"} has every call, and --keep makes only some of them: remove one of the two`,
    ],
    [flags.update && flags.dryRun, "--update writes what a run answers: remove --dry-run"],
  ]
  return table.find(([stands]) => stands)?.[1]
}
