/**
 * `pnpm bench`: the speed of the parser, next to that of jsonc-parser on equal input, and the size of its bundle.
 *
 * Prints the results and writes them to the README beside it.
 */
import { parse, reparse } from "@dotrpc/lang"
import type { ParseResult, TextEdit } from "@dotrpc/lang"
import { parseTree } from "jsonc-parser"
import { machine, table, writeSection } from "./document.ts"
import { jsonArray, requestFile, requestFileOfLines } from "./documents.ts"
import { quantile, timeInTurns, timesFaster } from "./turns.ts"
import type { Times } from "./turns.ts"
import { bundles, sizeOf } from "./size.ts"

const rounds = 30

const file = flat(requestFile(6_000_000))
const json = flat(jsonArray(6_000_000))
const section = flat(`### Equal input\nm ${json}\n`)
const edited = flat(requestFileOfLines(5000))

const whole = timeInTurns({ parse: () => parse(file), read: () => readAll(parse(file)) }, rounds)
const equal = timeInTurns({ lang: () => readAll(parse(section)), jsonc: () => parseTree(json) }, rounds)
const typed = timeEdits(400)
const sizes = await Promise.all(bundles.map(async (bundle) => [bundle.name, String(await sizeOf(bundle))]))

const ratio = timesFaster(equal.lang, equal.jsonc).toFixed(2)
const report = `## Parser

${machine()}; ${rounds} rounds after 5 to warm up, in turns. MB are a million characters.

${table(
  ["speed, MB/s", "median", "best"],
  [
    ["a file of 6 MB: tokens and sections, before anything is read", ...speeds(file, whole.parse)],
    ["the same, with every section parsed and all diagnostics", ...speeds(file, whole.read)],
    ["6 MB of JSON params: the whole tree and all diagnostics", ...speeds(section, equal.lang)],
    ["the same text: jsonc-parser `parseTree`", ...speeds(json, equal.jsonc)],
  ],
)}

On the same text this parser is ${ratio} times as fast as jsonc-parser.

${table(
  ["an edit in a file of 5,000 lines, ms", "median", "p95"],
  [
    ["`reparse`", ...milliseconds(typed.reparse)],
    ["`reparse` and all diagnostics", ...milliseconds(typed.diagnostics)],
    ["`parse` and all diagnostics, for comparison", ...milliseconds(typed.parse)],
  ],
)}

${table(["bundle, minified, bytes after gzip", "size"], sizes)}
`

process.stdout.write(report)
writeSection("parser", report)
/** Parses everything that is parsed on demand, and tells how much there was. */
function readAll({ tree, diagnostics }: ParseResult): number {
  let count = diagnostics.length
  for (const { call, checks } of tree.sections) count += checks.length + (call === undefined ? 0 : 1)
  return count
}

/** Types single characters all over a file that has been read. */
function timeEdits(count: number): Readonly<Record<"reparse" | "diagnostics" | "parse", Times>> {
  const times = { reparse: new Array<number>(), diagnostics: new Array<number>(), parse: new Array<number>() }
  let result = parse(edited)
  readAll(result)
  for (let index = 0; index < count; index++) {
    const place = (index * 7919) % result.tree.end
    const edit: TextEdit = { start: place, end: place, text: index % 2 === 0 ? "x" : " " }
    const start = performance.now()
    const next = reparse(result, edit)
    const parsed = performance.now()
    readDiagnostics(next)
    const known = performance.now()
    readDiagnostics(parse(next.tree.tokens.text))
    times.reparse.push(parsed - start)
    times.diagnostics.push(known - start)
    times.parse.push(performance.now() - known)
    readAll(next)
    result = next
  }
  return times
}

function readDiagnostics({ diagnostics }: ParseResult): number {
  return diagnostics.length
}

function speeds(text: string, times: Times): [median: string, best: string] {
  const speed = (time: number): string => (text.length / time / 1000).toFixed(0)
  return [speed(quantile(times, 0.5)), speed(quantile(times, 0))]
}

function milliseconds(times: Times): [median: string, p95: string] {
  return [quantile(times, 0.5).toFixed(2), quantile(times, 0.95).toFixed(2)]
}

/** The same text in one piece of memory, as a file is read. */
function flat(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
