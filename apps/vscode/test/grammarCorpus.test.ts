/**
 * The grammar for colours against the corpus of the language: where the parser is sure what a token is, the colours say
 * the same. A section with a mistake may have any colour.
 */
import { isSyntaxError, parse, tokenEnd, tokenKind, tokenStart } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import * as Kind from "@dotrpc/lang/token-kinds"
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

import { tokenizeRpc } from "./grammar/Tokens.ts"

const folder = new URL("../../../packages/lang/test/corpus/", import.meta.url)
const cases = readdirSync(folder).filter((file) => file.endsWith(".rpc"))

/** What the scopes of a token have to hold, by its kind. */
const expected: ReadonlyMap<number, RegExp> = new Map([
  [Kind.Comment, /comment\.line/],
  [Kind.SectionMark, /markup\.heading/],
  [Kind.Title, /markup\.heading/],
  [Kind.DirectiveName, /keyword\.control\.directive/],
  [Kind.CheckMark, /keyword\.control\.check/],
  [Kind.Method, /entity\.name\.function\.method/],
  [Kind.Number, /constant\.numeric/],
  [Kind.Hex, /constant\.numeric\.hex/],
  [Kind.String, /string\.quoted|support\.type\.property-name/],
  [Kind.TemplateOpen, /punctuation\.definition\.template-expression/],
  [Kind.TemplateClose, /punctuation\.definition\.template-expression/],
])

test.each(cases)("%s has the colours of its tokens", async (name) => {
  // Editors know CRLF and LF; a lone CR is not a line break to them.
  const text = readFileSync(new URL(name, folder), "utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
  const lines = lineIndex(text)
  const { diagnostics, tree } = parse(text)
  const wrong = new Set<number>()
  for (const { end, start } of diagnostics.filter(isSyntaxError)) {
    for (let line = positionAt(lines, start).line; line <= positionAt(lines, end).line; line++) wrong.add(line)
  }
  const regions = [tree.prelude, ...tree.sections]
  const broken = regions.filter(({ end, start }) =>
    [...wrong].some((line) => isIn(lines.starts[line] ?? 0, { start, end })),
  )
  const colours = await tokenizeRpc(text)
  const differences: Array<string> = []
  for (let index = 0; index < tree.tokens.length; index++) {
    const scope = expected.get(tokenKind(tree.tokens, index))
    const start = tokenStart(tree.tokens, index)
    const { line, character } = positionAt(lines, start)
    if (scope === undefined || broken.some((region) => isIn(start, region))) continue
    const scopes = scopesAt(colours[line] ?? [], character)
    if (!scope.test(scopes)) {
      const token = text.slice(start, tokenEnd(tree.tokens, index))
      differences.push(`${line + 1}:${character + 1} ${JSON.stringify(token)} is ${scopes || "plain"}`)
    }
  }
  expect(differences).toEqual([])
})

const isIn = (offset: number, region: { readonly start: number; readonly end: number }): boolean =>
  offset >= region.start && offset < region.end

const scopesAt = (
  tokens: ReadonlyArray<{ readonly text: string; readonly scopes: ReadonlyArray<string> }>,
  character: number,
): string => {
  let end = 0
  for (const { scopes, text } of tokens) {
    end += text.length
    if (character < end) return scopes.join(" ")
  }
  return ""
}
