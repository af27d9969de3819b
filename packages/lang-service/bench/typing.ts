/**
 * `pnpm bench`: how long each feature takes in a file of 5,000 lines, on every key of a section that is being typed.
 *
 * A key costs the new line index, parsing and analysing once; the first feature that asks pays for it, the others find it
 * done. Times are wall-clock milliseconds of this process; on a busy machine the CPU column is the one to compare.
 */
import { type Analysis, analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse, reparse, type TextEdit } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import {
  codeActions,
  completion,
  definition,
  diagnostics,
  type AnalysedText,
  documentLinks,
  folding,
  formatting,
  hover,
  inlayHints,
  lenses,
  onTypeFormatting,
  references,
  rename,
  selectionRanges,
  semanticTokens,
  signatureHelp,
  symbols,
} from "../src/index.ts"
import { largeFile } from "./largeFile.ts"

const lineCount = 5_000
const rounds = 6
const typed =
  '### New\n# @network evm\n@mine = hex(first)\neth_getLogs [{ "fromBlock": {{mine}}, "toBlock": "latest" }]\n?? result'

const { workspace } = makeWorkspace({ plugins: [Evm.plugin, TokenAccounts.plugin, L2Events.plugin], now: 0 })
const base = `# @import ./shared.rpc\n${largeFile(lineCount)}`
const sources = {
  uri: "file:///large.rpc",
  files: new Map([["file:///shared.rpc", parse(largeFile(500))]]),
  texts: new Map(),
}
const middle = base.indexOf("###", base.length / 2)

let last: Analysis | undefined

let parsed = parse(base)

/** As the language server does: each text is read and analysed with what is known of the one before it. */
const open = (edit: TextEdit): AnalysedText => {
  parsed = reparse(parsed, edit)
  last = analyze(parsed, workspace, { before: last, sources })
  return { analysis: last, lines: lineIndex(parsed.tree.tokens.text) }
}

/** The one edit that leads to a text, which a client tells the server. */
const editTo = (text: string): TextEdit => {
  const before = parsed.tree.tokens.text
  const limit = Math.min(before.length, text.length)
  let start = 0
  while (start < limit && before[start] === text[start]) start++
  let tail = 0
  while (tail < limit - start && before.at(-1 - tail) === text.at(-1 - tail)) tail++
  return { start, end: before.length - tail, text: text.slice(start, text.length - tail) }
}

const screen = (document: AnalysedText, offset: number) => {
  const { line } = positionAt(document.lines, offset)
  return { start: { line: Math.max(0, line - 30), character: 0 }, end: { line: line + 30, character: 0 } }
}

type Feature = (document: AnalysedText, offset: number) => unknown

const at =
  (feature: (document: AnalysedText, position: ReturnType<typeof positionAt>) => unknown): Feature =>
  (document, offset) =>
    feature(document, positionAt(document.lines, offset))

const features: Readonly<Record<string, Feature>> = {
  diagnostics: ({ analysis, lines }) => diagnostics(analysis, lines),
  completion: at(completion),
  hover: at(hover),
  "signature help": at(signatureHelp),
  definition: at(definition),
  references: (document) => references(document, { line: 3, character: 2 }),
  rename: (document) => rename(document, { line: 3, character: 2 }, "other"),
  "document links": (document) => documentLinks(document),
  "formatting on type": at((document, position) => onTypeFormatting(document, position, "\n")),
  "code actions": at((document, position) => codeActions(document, { start: position, end: position })),
  "inlay hints of a screen": (document, offset) => inlayHints(document, screen(document, offset)),
  "tokens of a screen": (document, offset) => semanticTokens(document, screen(document, offset)),
  "tokens of the file": (document) => semanticTokens(document),
  folding: (document) => folding(document),
  "selection ranges": at(selectionRanges),
  symbols: ({ analysis, lines }) => symbols(analysis.tree, lines.text, lines),
  lenses: ({ analysis, lines }) => lenses(analysis, lines),
  formatting: (document) => formatting(document),
}

/** What editors ask for without being told to, each time the text has changed. */
const askedAfterKey = [
  "diagnostics",
  "completion",
  "signature help",
  "code actions",
  "inlay hints of a screen",
  "tokens of a screen",
  "folding",
  "symbols",
  "lenses",
  "document links",
]

interface Measured {
  readonly wall: Array<number>
  readonly cpu: Array<number>
}

const measure = <Result>(into: Measured, run: () => Result): Result => {
  const before = process.cpuUsage()
  const started = performance.now()
  const result = run()
  into.wall.push(performance.now() - started)
  const used = process.cpuUsage(before)
  into.cpu.push((used.user + used.system) / 1_000)
  return result
}

const percentile = (values: ReadonlyArray<number>, share: number): string => {
  const sorted = values.toSorted((left, right) => left - right)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2).padStart(8)
}

const analysing: Measured = { wall: [], cpu: [] }
const answering: Measured = { wall: [], cpu: [] }
const together: Measured = { wall: [], cpu: [] }
const measured = new Map(Object.keys(features).map((name) => [name, { wall: [], cpu: [] } as Measured]))

for (let round = 0; round < rounds; round++) {
  for (let length = 1; length <= typed.length; length++) {
    const text = `${base.slice(0, middle)}${typed.slice(0, length)}\n\n${base.slice(middle)}`
    const offset = middle + length
    const warm = round > 0
    const scrap: Measured = { wall: [], cpu: [] }
    const key = editTo(text)
    const document = measure(warm ? analysing : scrap, () => open(key))
    if (length % 4 === 0) {
      const space = editTo(`${text} `)
      measure(warm ? answering : scrap, () => completion(open(space), positionAt(text, offset)))
    }
    const line = editTo(`${text}\n`)
    measure(warm ? together : scrap, () => {
      const fresh = open(line)
      for (const name of askedAfterKey) features[name]?.(fresh, offset)
    })
    for (const [name, feature] of Object.entries(features)) {
      measure(warm ? (measured.get(name) ?? scrap) : scrap, () => feature(document, offset))
    }
  }
}

const row = (name: string, { cpu, wall }: Measured): string =>
  `${name.padEnd(28)}${percentile(wall, 0.5)}${percentile(wall, 0.95)}${percentile(wall, 0.99)}${percentile(cpu, 0.95)}\n`

process.stdout.write(`${base.split("\n").length} lines, ${base.length} characters; milliseconds\n`)
process.stdout.write(`${"".padEnd(28)}     p50     p95     p99 cpu p95\n`)
process.stdout.write(row("a key: read and analyse", analysing))
process.stdout.write(row("a key to its completion", answering))
process.stdout.write(row("a key and all asked after it", together))
for (const [name, times] of measured) process.stdout.write(row(name, times))
