/** The blocks of a page of documentation, and the files it has its reader write. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Guide {
  /** The text of each block below a line that is a path, by that path. */
  readonly files: Readonly<Record<string, string>>
  /** The lines of the blocks for a shell. */
  readonly commands: ReadonlyArray<string>
  /** What its commands print: the blocks of text. */
  readonly outputs: ReadonlyArray<string>
  /** How many blocks there are in all. */
  readonly blocks: number
}

export const readGuide = (name: string): Guide => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs", name), "utf8")
  const blocks = [...text.matchAll(/(?:^`([\w./-]+)`:\n\n)?^```(\w*)[^\n]*\n([^]*?)^```$/gm)]
  return {
    files: Object.fromEntries(blocks.flatMap(([, path, , code]) => (path === undefined ? [] : [[path, code ?? ""]]))),
    commands: blocks.flatMap(([, , language, code]) => (language === "sh" ? (code ?? "").trim().split("\n") : [])),
    outputs: blocks.flatMap(([, , language, code]) => (language === "text" ? [code ?? ""] : [])),
    blocks: blocks.length,
  }
}
