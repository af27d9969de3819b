/** The format of a report: that of `--format`, or else the one that the name of its file says. */
import { ExitCode } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"
import { Effect, Option } from "effect"
import { extname } from "node:path"
import { CommandFailed } from "./CommandFailed.ts"

/** `value` and `csv` have results alone, and `github` what went wrong. */
export const reportFormats = ["pretty", "json", "ndjson", "junit", "tap", "value", "csv", "github", "html"] as const

/** A file alone has columns of types. */
export type ReportFormat = (typeof reportFormats)[number] | "parquet"

const byExtension = new Map<string, ReportFormat>([
  [".json", "json"],
  [".ndjson", "ndjson"],
  [".jsonl", "ndjson"],
  [".xml", "junit"],
  [".tap", "tap"],
  [".csv", "csv"],
  [".parquet", "parquet"],
  [".html", "html"],
  [".htm", "html"],
  [".txt", "pretty"],
  [".log", "pretty"],
])

/** Extensions that promise what no report is, whatever --format says. */
const others = new Set([".tsv", ".arrow", ".xlsx"])

/**
 * What a run writes, where both flags are given as well: annotations are of a log, so `--format github` writes them to stdout
 * beside the file. Fails for a file whose name promises another format than it would have.
 */
export const reportChoices = ({
  format,
  output,
}: {
  readonly format: Option.Option<ReportFormat>
  readonly output: Option.Option<string>
}): Effect.Effect<{ readonly format: ReportFormat; readonly annotates: boolean }, CommandFailed> => {
  const annotates = Option.contains(format, "github") && Option.isSome(output)
  return Effect.map(reportFormat(annotates ? Option.none() : format, output), (chosen) => ({
    format: chosen,
    annotates,
  }))
}

const reportFormat = (
  format: Option.Option<ReportFormat>,
  output: Option.Option<string>,
): Effect.Effect<ReportFormat, CommandFailed> => {
  const name = Option.getOrElse(output, () => "")
  const extension = extname(name).toLowerCase()
  const isKnown = byExtension.has(extension) || extension === "" || (Option.isSome(format) && !others.has(extension))
  const isOfColumns = extension === ".csv" || extension === ".parquet"
  if (isKnown && !(isOfColumns && Option.exists(format, (each) => each !== byExtension.get(extension))))
    return Effect.succeed(Option.getOrElse(format, () => byExtension.get(extension) ?? "pretty"))
  const known = [...byExtension.keys()].filter((each) => ![".jsonl", ".log", ".htm"].includes(each)).join(", ")
  return new CommandFailed({
    lines: [
      `--output ${Visible.line(name)}: a run does not write ${extension} files${isOfColumns ? " with that --format" : ""}: expected a name that ends in one of ${known}`,
      "the logs or events of a range become typed columns with dotrpc scan FILE.rpc --name NAME --output FILE.parquet",
    ],
    exitCode: ExitCode.invalid,
  })
}
