/** The laws that hold for any text, as functions that tell what breaks them. */
import { isDeepStrictEqual } from "node:util"
import { format, isSyntaxError, parse, print, reparse, tokenEnd, tokenKind, tokenText } from "../src/index.ts"
import { childrenOf } from "../src/Locate.ts"
import * as TokenKind from "../src/TokenKind.ts"
import type { Diagnostic, FileNode, SyntaxNode, TextEdit } from "../src/index.ts"
import { plainPart, plainResult } from "./plain.ts"

/** A law tells whether a text, or a text and an edit of it, keeps it. */
export type Law = (text: string, edit: TextEdit) => boolean

export const laws: Readonly<Record<string, Law>> = {
  "printing the tree gives the text back": (text) => print(parse(text).tree) === text,
  "tokens are not empty and leave no gaps": (text) => coversText(parse(text).tree),
  "diagnostics and their fixes lie inside the text, in order": (text) =>
    areInPlace(parse(text).diagnostics, text.length),
  "children lie inside their parents, in order": (text) => isInPlace(parse(text).tree),
  "formatting twice is formatting once": (text) => format(format(text)) === format(text),
  "formatting changes only white space": (text) => isDeepStrictEqual(wordsOf(format(text)), wordsOf(text)),
  "formatting leaves sections with syntax errors alone": (text) =>
    isDeepStrictEqual(brokenSections(format(text)), brokenSections(text)),
  "a section says by itself what it says in its file": (text) =>
    isDeepStrictEqual(sectionsOf(text), sectionTexts(text).flatMap(sectionsOf)),
  "parsing again after an edit is parsing the new text": (text, edit) => {
    const edited = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
    return isDeepStrictEqual(plainResult(reparse(parse(text), edit)), plainResult(parse(edited)))
  },
  "an edit leaves the result before it as it was": (text, edit) => {
    const before = parse(text)
    const after = reparse(before, edit)
    return isDeepStrictEqual(plainResult(before), plainResult(parse(text))) && after.tree !== before.tree
  },
  "undoing an edit gives the result before it": (text, edit) => {
    const before = parse(text)
    const known = before.diagnostics
    const undo = { start: edit.start, end: edit.start + edit.text.length, text: text.slice(edit.start, edit.end) }
    const after = reparse(reparse(before, edit), undo)
    return isDeepStrictEqual(after.diagnostics, known) && isDeepStrictEqual(plainResult(after), plainResult(before))
  },
}

/** The kinds and texts of all tokens that are not white space. */
function wordsOf(text: string): ReadonlyArray<string> {
  const { tokens } = parse(text).tree
  const words: Array<string> = []
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    if (kind === TokenKind.Whitespace || kind === TokenKind.Newline || kind === TokenKind.LineEnd) continue
    words.push(`${kind} ${tokenText(tokens, index)}`)
  }
  return words
}

function coversText({ tokens, end }: FileNode): boolean {
  let offset = 0
  for (let index = 0; index < tokens.length; index++) {
    if (tokenEnd(tokens, index) <= offset) return false
    offset = tokenEnd(tokens, index)
  }
  return offset === end
}

function areInPlace(diagnostics: ReadonlyArray<Diagnostic>, length: number): boolean {
  let offset = 0
  return diagnostics.every(({ start, end, fix }) => {
    const isInOrder = start >= offset && end > start && end <= length
    offset = start
    return isInOrder && areInOrder(fix?.edits ?? [], length)
  })
}

function isInPlace(node: SyntaxNode): boolean {
  let offset = node.start
  return childrenOf(node).every((child) => {
    const fits = child.start >= offset && child.end >= child.start && child.end <= node.end
    offset = child.end
    return fits && isInPlace(child)
  })
}

function areInOrder(edits: ReadonlyArray<TextEdit>, length: number): boolean {
  return edits.every(
    (edit, index) => edit.start >= (edits[index - 1]?.end ?? 0) && edit.end >= edit.start && edit.end <= length,
  )
}

/** The text of each section with a syntax error, and nothing for the others. */
function brokenSections(text: string): ReadonlyArray<string | undefined> {
  const { tree, diagnostics } = parse(text)
  const errors = diagnostics.filter(isSyntaxError)
  return tree.sections.map(({ start, end }) =>
    errors.some((error) => error.start >= start && error.start < end) ? text.slice(start, end) : undefined,
  )
}

function sectionTexts(text: string): ReadonlyArray<string> {
  return parse(text).tree.sections.map(({ start, end }) => text.slice(start, end))
}

/** Each section with its diagnostics, all offsets counted from its start. */
export function sectionsOf(text: string): ReadonlyArray<unknown> {
  const { tree, diagnostics } = parse(text)
  return tree.sections.map((section) => ({
    tree: relative(plainPart(section), section.start),
    diagnostics: diagnostics
      .filter(({ code, start }) => code !== "L105" && start >= section.start && start < section.end)
      .map((finding) => relative(finding, section.start)),
  }))
}

function relative(value: unknown, origin: number): unknown {
  if (Array.isArray(value)) return value.map((item) => relative(item, origin))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const isOffset = (key === "start" || key === "end") && typeof entry === "number"
      return [key, isOffset ? entry - origin : relative(entry, origin)]
    }),
  )
}
