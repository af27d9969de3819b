/** Random texts: any code units at all, and strings put together from pieces of the language. */
import * as fc from "fast-check"
import type { TextEdit } from "../src/index.ts"
import { corpus } from "./corpusFiles.ts"
import { blanks, lines, statements, values } from "./pieces.ts"

/** Any UTF-16 string, with lone surrogates and control characters. */
export const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 })

const line = fc.constantFrom(...lines)
const statement = fc.constantFrom(...statements)
const value = fc.constantFrom(...values)
const blank = fc.constantFrom(...blanks)

/** Strings of language fragments, right and wrong. */
export const languageText = fragments(fc.oneof({ weight: 3, arbitrary: value }, blank, statement, line), 40)

/** A file of the corpus with a few stretches replaced. */
export const damagedText = fc
  .tuple(
    fc.constantFrom(...corpus.map(([, text]) => text.slice(0, 1500))),
    fc.array(fc.tuple(fc.nat(1500), fc.nat(20), fc.oneof(value, blank, statement, line)), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, damages]) =>
    damages.reduce((damaged, [at, length, text]) => damaged.slice(0, at) + text + damaged.slice(at + length), text),
  )

/** Edits of any text: a place, a length and what to write there; `within` moves them into a text. */
export const edits: fc.Arbitrary<TextEdit> = fc
  .tuple(fc.nat(400), fc.oneof(fc.constant(0), fc.nat(30)), fc.oneof(fc.constant(""), value, blank, statement, line))
  .map(([start, length, text]) => ({ start, end: start + length, text }))

/** The same edit at a place that the text has. */
export function within(edit: TextEdit, text: string): TextEdit {
  const start = edit.start % (text.length + 1)
  return { start, end: Math.min(start + edit.end - edit.start, text.length), text: edit.text }
}

/** One section without the `###` of another: a header, then fragments, then a line break. */
export const sectionText = fragments(fc.oneof(value, blank, statement, fc.constantFrom("\n", "\r\n", "\n\n")), 25).map(
  (body) => `### s\n${body.replaceAll(/#{3,}/g, "##")}\n`,
)

/** Sections without errors of syntax, in careless layout. */
export const cleanText = fc
  .array(fc.tuple(gap(), expression(2), json(3)), { minLength: 1, maxLength: 3 })
  .map((sections) =>
    sections.map(([space, check, params]) => `###t${space}\nm ${params}${space}\n??${space}${check}\n`).join(""),
  )

function fragments(part: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(part, { maxLength }).map((parts) => parts.join(""))
}

function gap(): fc.Arbitrary<string> {
  return fc.constantFrom("", " ", "   ", "\t")
}

function innerGap(): fc.Arbitrary<string> {
  return fc.constantFrom("", "", " ", "\n", "\n\n\n  ", " // c\n", " /* b */ ", "/* b\n  c */", "  # @note x\n")
}

function json(depth: number): fc.Arbitrary<string> {
  if (depth < 3) {
    const leaf = fc.oneof(
      fc.constantFrom(
        "1",
        "-2.50",
        "true",
        "null",
        '"text"',
        '"a{{ b }}c"',
        '"\\""',
        '"long long long long long long"',
      ),
      expression(1).map((inner) => `{{${inner}}}`),
    )
    if (depth === 0) return leaf
    return fc.oneof(leaf, brackets(depth))
  }
  return brackets(depth)
}

function brackets(depth: number): fc.Arbitrary<string> {
  const items = fc.array(fc.tuple(innerGap(), json(depth - 1), innerGap()), { maxLength: 4 })
  return fc.tuple(items, fc.boolean(), fc.boolean(), innerGap()).map(([list, isObject, trails, last]) => {
    const parts = list.map(
      ([before, item, after], index) => `${before}${isObject ? `"k${index}" : ` : ""}${item}${after}`,
    )
    const content = parts.join(",") + (trails && list.length > 0 ? "," : "") + last
    return isObject ? `{${separateBraces(content)}}` : `[${content}]`
  })
}

/** Keeps a brace that opens an object apart from a template that opens right after it, and the same at its end. */
function separateBraces(content: string): string {
  return content.startsWith("{") ? ` ${content}` : content
}

function expression(depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom("a", "a.b[0].c", 'f( 1,"x" )', "$env.A", "0x1F", "1.5", "true", '"{{"', "f()")
  if (depth === 0) return leaf
  const inner = expression(depth - 1)
  return fc.oneof(
    leaf,
    inner.map((operand) => `!${operand}`),
    inner.map((operand) => `- ${operand}`),
    inner.map((operand) => `( ${operand} )`),
    fc
      .tuple(inner, fc.constantFrom("||", "&&", "+", " - ", "*", "% "), inner)
      .map(([left, operator, right]) => `(${left})${operator}(${right})`),
    fc.tuple(inner, inner).map(([left, right]) => `(${left})<=(${right})`),
  )
}
