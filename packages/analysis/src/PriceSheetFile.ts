/** A price sheet of your own: a JSON file beside `rpc.config.json`. Comments and trailing commas are accepted. */
import { PriceSheet, showPath, Table } from "@dotrpc/spec"
import type { ConfigProblem } from "./ProjectConfig.ts"
import { readJsonc } from "./internal/jsonc.ts"

/**
 * Reads the file's text: a sheet, or everything that keeps it from being one, each problem with its offsets.
 *
 * @example
 * ```ts
 * parsePriceSheet('{ "id": "ours" }').problems[0]?.message // "title: expected …"
 * ```
 */
export const parsePriceSheet = (
  text: string,
): { readonly sheet?: PriceSheet.PriceSheet | undefined; readonly problems: ReadonlyArray<ConfigProblem> } => {
  if (text.length > longestSheet) {
    const message = `a price sheet has at most ${Table.groupDigits(longestSheet)} characters, and this file has ${Table.groupDigits(text.length)}: name methods together, or by their beginning as in "trace_*"`
    return { problems: [{ message, start: 0, end: 0 }] }
  }
  const file = readJsonc(text)
  if (file.problems.length > 0) return { problems: file.problems.slice(0, mostProblems) }
  const read = PriceSheet.read(file.value)
  if ("sheet" in read) return { sheet: read.sheet, problems: [] }
  const problems = read.issues.slice(0, mostProblems).map(({ message, path }) => ({
    message: `${showPath(path).replace(/^params\.?/, "") || "the sheet"}: ${message}`,
    ...file.spanOf(path),
  }))
  return { problems }
}

/** Three times the longest sheet of a provider. An editor reads it in one go, so it may not take long. */
const longestSheet = 32_000

/** More are not reported: fix these first. */
const mostProblems = 100
