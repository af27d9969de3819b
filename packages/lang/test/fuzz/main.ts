/**
 * `pnpm fuzz --seed 1 --seconds 60`: breaks the files of the corpus in random ways and holds the laws against the results.
 *
 * A text that shows something new (two kinds of tokens next to each other, a diagnostic) is kept and broken further. What breaks
 * a law is made small and written to the corpus; a case that takes an edit goes to `test/edits`. The same seed makes the same
 * texts. Ends with 1 when a law is broken.
 */
import { parseArgs } from "node:util"
import { corpus } from "../corpusFiles.ts"
import { laws } from "../laws.ts"
import type { Law } from "../laws.ts"
import { features } from "./features.ts"
import { keepCase } from "./keepCase.ts"
import type { Case } from "./keepCase.ts"
import { minimise } from "./minimise.ts"
import { mutate, randomEdit } from "./mutate.ts"
import { generator } from "./random.ts"

const options = { seed: { type: "string", default: "1" }, seconds: { type: "string", default: "60" } } as const
const { values } = parseArgs({ options })
const seed = wholeNumber("seed", values.seed)
const seconds = wholeNumber("seconds", values.seconds)

const random = generator(seed)
const maximumLength = 2000
const pool = corpus.map(([, text]) => text.slice(0, maximumLength))
const seen = new Set<string>()
const broken = new Set<string>()
const deadline = Date.now() + seconds * 1000
let count = 0

while (Date.now() < deadline) {
  const text = mutate(pool, random).slice(0, maximumLength)
  const edit = randomEdit(text, random)
  for (const [name, law] of Object.entries(laws)) {
    if (!broken.has(name) && breaks(law, { text, edit })) found(name, law, { text, edit })
  }
  if (addsFeature(text)) pool.push(text)
  count++
}

say(`seed ${seed}: ${count} texts in ${seconds} s, ${seen.size} features, ${broken.size} broken laws`)
process.exitCode = broken.size === 0 ? 0 : 1

function breaks(law: Law, { text, edit }: Case): boolean {
  try {
    return !law(text, edit)
  } catch {
    return true
  }
}

function found(name: string, law: Law, first: Case): void {
  broken.add(name)
  const smallest = minimise(first, (candidate) => breaks(law, candidate))
  const takesEdit = !breaks(law, { text: smallest.text, edit: { start: 0, end: 0, text: "" } })
  say(`broken: ${name}\n  ${JSON.stringify(smallest)}\n  kept as ${keepCase(smallest, takesEdit)}`)
}

function addsFeature(text: string): boolean {
  const before = seen.size
  for (const feature of features(text)) seen.add(feature)
  return seen.size > before
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--${name} is a whole number, for example --${name} 60; it was ${JSON.stringify(text)}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
