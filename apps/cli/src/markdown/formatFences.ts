/** Formats the requests in a Markdown file and leaves the rest of it alone. */
import { format } from "@dotrpc/lang"
import { bare, fencesIn, linesOf, prefixOf } from "./Fences.ts"

/** A fence in a quotation stays as it is, and so does one that nothing closes. */
export const formatFences = (text: string): string => {
  const lines = linesOf(text)
  const pieces: Array<string> = []
  let done = 0
  for (const { end, first, indent } of fencesIn(text)) {
    const content = lines.slice(first, end)
    const isClosed = end < lines.length && content.every((line) => /[\r\n]$/.test(line))
    const prefixes = content.map((line) => prefixOf(line, indent))
    if (!isClosed || prefixes.some((prefix) => prefix.includes(">"))) continue
    const formatted = format(content.map((line) => bare(line, indent)).join(""))
    const prefix = prefixes.find((entry) => entry.length === indent) ?? " ".repeat(indent)
    const written = linesOf(formatted).filter((line) => line !== "")
    const indented = written.map((line) => (line.trim() === "" ? line : prefix + line))
    pieces.push(lines.slice(done, first).join(""), indented.join(""))
    done = end
  }
  return pieces.join("") + lines.slice(done).join("")
}
