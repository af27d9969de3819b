/**
 * Saved requests in Markdown: the text of ```` ```rpc ```` fences, one document for each file.
 *
 * The first fence may begin with what is for the whole file. In any other, and where a fence holds a call without a `###`
 * above it, that is a section of its own, which begins where the fence does. A fence marked ```` ```rpc skip ```` is only shown.
 */
import { parse, type Span } from "@dotrpc/lang"
import { lineIndex } from "@dotrpc/lang/locate"
import { fromMarkdown } from "mdast-util-from-markdown"

type Root = ReturnType<typeof fromMarkdown>

/** The lines of a fence, from 0. */
export interface Fence {
  /** Of the opening mark. */
  readonly opening: number
  readonly first: number
  /** Behind the last line of the content. */
  readonly end: number
  /** Columns before the fence: its lines stand in a list or a quotation. */
  readonly indent: number
}

/** The fences of a file that hold requests, in its order. Those of the text that was asked about last are kept. */
export const fencesIn = (text: string): ReadonlyArray<Fence> => {
  if (last?.text !== text) last = { text, fences: readFences(text) }
  return last.fences
}

let last: { readonly text: string; readonly fences: ReadonlyArray<Fence> } | undefined

const readFences = (text: string): ReadonlyArray<Fence> => {
  const lines = linesOf(text)
  const fences: Array<Fence> = []
  const visit = (node: Root | Root["children"][number]): void => {
    if (node.type === "code" && node.lang === "rpc" && node.position !== undefined && node.meta !== "skip") {
      const { start, end } = node.position
      const [mark = "```"] = /^(`+|~+)/.exec(text.slice(start.offset ?? 0)) ?? []
      const isClosed = end.line > start.line && closes(lines[end.line - 1] ?? "", mark)
      const indent = start.column - 1
      // Where a list or a quotation ends a fence, that is at the start of the line behind it.
      const isBehind = !isClosed && end.column === 1 && end.line > start.line
      fences.push({
        opening: start.line - 1,
        first: start.line,
        end: isClosed || isBehind ? end.line - 1 : end.line,
        indent,
      })
    }
    if ("children" in node) node.children.forEach(visit)
  }
  // A byte order mark is not counted in the places of nodes.
  visit(fromMarkdown(text.replace(/^\uFEFF/, " "), { extensions: [withoutProse] }))
  return fences
}

/** Nothing within a paragraph leads to a fence, and some texts of brackets and asterisks take long to read. */
const withoutProse = {
  disable: {
    null: [
      "attention",
      "autolink",
      "characterEscape",
      "characterReference",
      "codeText",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
    ],
  },
}

/**
 * A Markdown file as requests alone: everything else is blanks, so that every offset, line and column is that of the file.
 *
 * @example
 * requestsIn("# Logs\n\n```rpc\neth_getLogs [{}]\n```\n") // "      \n\n###   \neth_getLogs [{}]\n   \n"
 */
export const requestsIn = (text: string): string => {
  const lines = linesOf(text)
  const shown = lines.map((line) => line.replace(/[^\r\n]/g, " "))
  fencesIn(text).forEach((fence, index) => {
    const content = lines.slice(fence.first, fence.end)
    if (beginsSection(content.map((line) => bare(line, fence.indent)).join(""), index)) {
      shown[fence.opening] = (shown[fence.opening] ?? "").replace(/^ {3}/, "###")
    }
    content.forEach((line, offset) => {
      shown[fence.first + offset] = inPlace(line, fence.indent)
    })
  })
  return shown.join("")
}

/** The lines in fences, in their order: without what stands before a fence, and without their breaks. */
export const contentIn = (text: string): ReadonlyArray<Span> => {
  const lines = linesOf(text)
  const starts = lineIndex(text).starts
  return fencesIn(text).flatMap(({ end, first, indent }) =>
    lines.slice(first, end).map((line, offset) => {
      const from = starts[first + offset] ?? 0
      const prefix = prefixOf(line, indent).length
      return { start: from + prefix, end: from + Math.max(prefix, line.replace(/\r?[\r\n]$/, "").length) }
    }),
  )
}

/** Lines with their breaks. */
export const linesOf = (text: string): ReadonlyArray<string> => {
  const { starts } = lineIndex(text)
  return Array.from(starts, (start, index) => text.slice(start, starts[index + 1]))
}

/** A line of a fence without what stands before the fence. */
export const bare = (line: string, indent: number): string => line.slice(prefixOf(line, indent).length)

/** What the fence's own indentation, or the marks of a quotation, take of a line. */
export const prefixOf = (line: string, indent: number): string => /^[ \t>]*/.exec(line.slice(0, indent))?.[0] ?? ""

/** A header has to begin its line, and its title stays where it is. */
const inPlace = (line: string, indent: number): string => {
  const blanks = " ".repeat(prefixOf(line, indent).length)
  const rest = bare(line, indent)
  const [mark = ""] = /^#{3,}/.exec(rest) ?? []
  return mark + blanks + rest.slice(mark.length)
}

const beginsSection = (content: string, index: number): boolean => {
  const { call, checks, directives, variables } = parse(content).tree.prelude
  return call !== undefined || checks.length > 0 || (index > 0 && directives.length + variables.length > 0)
}

const closes = (line: string, mark: string): boolean => {
  const rest = line.replace(/^[ \t>]*/, "").trimEnd()
  return rest.startsWith(mark) && rest === (mark[0] ?? "").repeat(rest.length)
}
