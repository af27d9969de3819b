import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { directives, format, isSyntaxError, parse, print, reparse } from "../src/index.ts"
import { positionAt } from "../src/Locate.ts"

test("the example of the readme tells what happens", () => {
  const text = '### Logs\n# @name logs\neth_getLogs [{"fromBlock": 0x10}]\n?? result.length > 0\n'
  const result = parse(text)
  const { tree, diagnostics } = result
  expect(tree.sections[0]?.call?.method.text).toBe("eth_getLogs")
  expect(diagnostics.map(({ code }) => code)).toEqual(["L309"])
  expect(positionAt(text, diagnostics[0]?.start ?? 0)).toEqual({ line: 2, character: 27 })
  expect(print(tree)).toBe(text)
  expect(reparse(result, { start: 49, end: 53, text: '"0x10"' }).diagnostics).toEqual([])
  expect(format("###  Logs\neth_getLogs [ 1,2 ]")).toBe("### Logs\neth_getLogs [1, 2]\n")
})

test("the examples of the pages of the language have no errors of syntax", () => {
  const examples = ["language", "directives", "checks", "rows"].flatMap((page) => {
    const document = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), "utf8")
    return [...document.matchAll(/^```rpc(?: skip)?\n([\s\S]*?)^```$/gm)].map(([, example = ""]) => example)
  })
  expect(examples.length).toBeGreaterThan(2)
  for (const example of examples) expect(parse(example).diagnostics.filter(isSyntaxError)).toEqual([])
})

test("the page of directives has each of them once", () => {
  const page = readFileSync(new URL("../../../docs/directives.md", import.meta.url), "utf8")
  const listed = [...page.matchAll(/^\| `@([a-z]+)` \|/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(directives.map(({ name }) => name).toSorted())
})
