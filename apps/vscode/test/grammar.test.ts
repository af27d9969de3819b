/** The colours of `.rpc` text, as tokens and their scopes. */
import { readFile } from "node:fs/promises"

import { expect, test } from "vitest"

import { tokenizeMarkdown, tokenizeRpc, type TokenizedLines } from "./grammar/Tokens.ts"

/** Every line, and below it its tokens with their scopes; blanks are left out. */
function picture(text: string, lines: TokenizedLines): string {
  const rowsOf = (index: number): ReadonlyArray<string> =>
    (lines[index] ?? [])
      .filter((token) => token.text.trim() !== "")
      .map((token) => `        ${token.text.trim().padEnd(40)} ${token.scopes.join(" ")}`.trimEnd())
  return text
    .split("\n")
    .flatMap((line, index) => [line].concat(rowsOf(index)))
    .join("\n")
}

test("the tokens of the sample are the recorded ones", async () => {
  const text = await readFile(new URL("grammar/sample.rpc", import.meta.url), "utf8")
  await expect(picture(text, await tokenizeRpc(text))).toMatchFileSnapshot("grammar/sample.tokens")
})

/** The innermost scope of the last token that has exactly this text. */
async function scopeOf(token: string, text: string): Promise<string | undefined> {
  const found = (await tokenizeRpc(text)).flat().findLast((each) => each.text.trim() === token)
  return found?.scopes.at(-1)
}

test.each([
  ["a bracket", "### One\neth_call [{\n### Two"],
  ["a template", "### One\neth_call [{{hex(\n### Two"],
  ["a string", '### One\neth_call ["a\n### Two'],
  ["a block comment", "### One\n/* forever\n### Two"],
  ["a value of the prelude", "@a = [\n### Two"],
])("%s that is left open ends where the next section begins", async (_what, text) => {
  expect(await scopeOf("Two", text)).toBe("entity.name.section")
})

test.each([
  ["a number sign in a string is not a comment", 'a ["# no"] # yes', "# no", "string.quoted.double"],
  ["a comment may follow params", "a [1] # yes", "# yes", "comment.line.number-sign"],
  ["two closing braces close two objects", 'a {"b":{"c":1}}\n?? result', "result", "variable.language"],
  ["a template may end right before a brace", 'a {"b":{{c}}}\n?? result', "result", "variable.language"],
  ["a section needs column 0", " ### no", "### no", "comment.line.number-sign"],
  ["a name without a call is a variable", "?? hex", "hex", "variable.other.readwrite"],
  ["a result of the request itself is not a reference", "?? result.a.result", "result", "variable.other.property"],
  ["a method may have a dot in its name", "net.version []", "net.version", "entity.name.function.method"],
  ["a method may stand alone", "eth_blockNumber", "eth_blockNumber", "entity.name.function.method"],
  ["a duration is a number", "# @timeout 500ms", "500ms", "constant.numeric"],
])("%s", async (_sentence, text, token, scope) => {
  expect(await scopeOf(token, text)).toBe(scope)
})

test("a fence in Markdown is coloured as a file is", async () => {
  const lines = await tokenizeMarkdown("```rpc\n### One\neth_call [{{\n```\n### Prose")
  const inner = lines.map((line) => line.map((token) => `${token.text}: ${token.scopes.at(-1) ?? "plain"}`))
  expect(inner).toEqual([
    ["```: punctuation.definition.markdown", "rpc: fenced_code.block.language.markdown"],
    ["###: punctuation.definition.heading", " : markup.heading", "One: entity.name.section"],
    [
      "eth_call: entity.name.function.method",
      " : meta.embedded.block",
      "[: punctuation.definition.array.begin",
      "{{: punctuation.definition.template-expression.begin",
    ],
    ["```: punctuation.definition.markdown"],
    ["### Prose: plain"],
  ])
})

test("a fence of another language whose name begins alike is left alone", async () => {
  const lines = await tokenizeMarkdown("```rpcgen\n### One\n```")
  expect(lines.flat().flatMap((token) => token.scopes)).toEqual([])
})
