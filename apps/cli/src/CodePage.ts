/** docs/codes.md as data: what every code means. The bundle contains the text of the page. */

/** A code, with its own section of the page. */
export interface CodeSection {
  readonly code: string
  /** `error` or `warning` of a problem in a file; the reason of a failed call. */
  readonly kind: string
  /** The finding, as a noun phrase. */
  readonly summary: string
  readonly blocks: ReadonlyArray<Block>
}

/** A paragraph on one line, the lines of a table, or a fence with what stands after its backticks. */
export type Block =
  | { readonly kind: "paragraph" | "table"; readonly text: string }
  | { readonly kind: "fence"; readonly info: string; readonly text: string }

/** Every section of a page, in its order. */
export const readSections = (page: string): ReadonlyArray<CodeSection> => {
  const sections: Array<{ readonly code: string; readonly blocks: Array<Block> }> = []
  let isInSection = false
  for (const block of blocksOf(page)) {
    if (block.kind === "heading") {
      isInSection = block.level === 3
      if (isInSection) sections.push({ code: block.text, blocks: [] })
    } else if (isInSection) sections.at(-1)?.blocks.push(block)
  }
  return sections.map(({ blocks: [first, ...blocks], code }) => {
    const [, kind = "", summary = ""] = /^\*\*(\w+): (.+)\*\*$/.exec(first?.text ?? "") ?? []
    return { code, kind, summary, blocks }
  })
}

/** Replaces this name when the bundle is built, and in tests. */
declare const CODES_PAGE: string

export const codesPage = (): string => CODES_PAGE

interface Heading {
  readonly kind: "heading"
  readonly level: number
  readonly text: string
}

/** The Markdown that pages and the docs of methods are written in: headings, paragraphs, fences and tables. */
export const blocksOf = (page: string): ReadonlyArray<Block | Heading> => {
  const blocks: Array<Block | Heading> = []
  let words: Array<string> = []
  let rows: Array<string> = []
  let fence: { readonly info: string; readonly lines: Array<string> } | undefined
  const end = () => {
    if (words.length > 0) blocks.push({ kind: "paragraph", text: words.join(" ") })
    if (rows.length > 0) blocks.push({ kind: "table", text: rows.join("\n") })
    words = []
    rows = []
  }
  for (const line of [...page.split("\n"), ""]) {
    if (fence !== undefined) {
      if (line !== "```") fence.lines.push(line)
      else {
        blocks.push({ kind: "fence", info: fence.info, text: fence.lines.join("\n") })
        fence = undefined
      }
      continue
    }
    const isRow = line.startsWith("|")
    const [, marks, title = ""] = /^(#+) (.*)$/.exec(line) ?? []
    const isFence = line.startsWith("```")
    if (line === "" || isFence || marks !== undefined || isRow !== rows.length > 0) end()
    if (isFence) fence = { info: line.slice(3), lines: [] }
    else if (marks !== undefined) blocks.push({ kind: "heading", level: marks.length, text: title })
    else if (isRow) rows.push(line)
    else if (line !== "") words.push(line)
  }
  return blocks
}
