/** Writes a table into the page that has its markers. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"

const own = new URL("../README.md", import.meta.url)
/** What users compare, and everything else. */
const pages = [new URL("../../../docs/benchmarks.md", import.meta.url), own]

/** Replaces what stands between the markers of a table, or adds it at the end of the second page. */
export function writeSection(name: string, content: string): void {
  const [open, close] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const section = `${open}\n${content.trim()}\n${close}`
  const texts = pages.map((page) => ({ page, text: readFileSync(page, "utf8") }))
  const there = texts.find(({ text }) => text.includes(open) && text.indexOf(close) > text.indexOf(open))
  if (there === undefined) return appendFileSync(own, `\n${section}\n`)
  const { page, text } = there
  const after = text.slice(text.indexOf(close) + close.length)
  writeFileSync(page, text.slice(0, text.indexOf(open)) + section + after)
}

/** The machine and the engine, in words. */
export function machine(): string {
  return `Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? "an unknown processor"}`
}

/** A Markdown table; all columns but the first are numbers. */
export function table(head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}
