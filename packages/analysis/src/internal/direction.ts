/**
 * Characters that change the direction of the text after them (U+202A to U+202E, U+2066 to U+2069): with them, a reader
 * sees a different order from the one that is sent.
 */
import { type Diagnostic, type FileNode, type Fix, tokenAt, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import * as Kind from "@dotrpc/lang/token-kinds"
import { warning } from "../Problem.ts"

/** One warning for each string, comment or other word that has such characters. */
export const directionOverrides = ({ tokens }: FileNode): ReadonlyArray<Diagnostic> => {
  const { text } = tokens
  const found: Array<Diagnostic> = []
  let done = 0
  for (const match of text.matchAll(overrides)) {
    if (match.index < done) continue
    const token = tokenAt(tokens, match.index)
    const end = tokenEnd(tokens, token)
    const fix = fixOf(tokenKind(tokens, token), text, tokenStart(tokens, token), end)
    const name = nameOf(match[0])
    const message = `${name} changes the direction of the text after it, so readers see a different order from the one that is sent: write it as an escape, or remove it`
    const span = { start: match.index, end: match.index + match[0].length }
    found.push({ ...warning("A504", span, message), ...(fix === undefined ? {} : { fix }) })
    done = end
  }
  return found
}

const overrides = /[\u202A-\u202E\u2066-\u2069]/g

/** A string keeps its value when it says them as escapes, and a comment means nothing; any other text would change. */
const fixOf = (kind: number, text: string, start: number, end: number): Fix | undefined => {
  const isText = kind === Kind.String || kind === Kind.EscapedString || kind === Kind.StringText
  const isComment = kind === Kind.Comment || kind === Kind.BlockComment
  if (!isText && !isComment) return undefined
  const edits = [...text.slice(start, end).matchAll(overrides)].map(({ 0: character, index }) => ({
    start: start + index,
    end: start + index + character.length,
    text: isText ? String.raw`\u${codeOf(character).toLowerCase()}` : "",
  }))
  const isEscaped = isText && edits.some((edit) => /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(start, edit.start)))
  return isEscaped ? undefined : { title: isText ? "Write it as an escape" : "Remove it", edits }
}

const nameOf = (character: string): string => `U+${codeOf(character)}`

const codeOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase()
