/** Writes a section of `docs/benchmarks.md`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"

const file = new URL("../../../docs/benchmarks.md", import.meta.url)

const introduction = `# Benchmarks

Measured by \`pnpm bench\` on one machine, mostly a shared one: trust the ratios of one run, not the absolute numbers.
`

/** Replaces what stands between the markers of a section, or adds the section at the end. */
export function writeSection(name: string, content: string): void {
  const [open, close] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const before = existsSync(file) ? readFileSync(file, "utf8") : introduction
  const section = `${open}\n${content.trim()}\n${close}`
  const start = before.indexOf(open)
  const end = before.indexOf(close)
  const isThere = start >= 0 && end > start
  const after = isThere
    ? before.slice(0, start) + section + before.slice(end + close.length)
    : `${before.trimEnd()}\n\n${section}\n`
  writeFileSync(file, after)
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
