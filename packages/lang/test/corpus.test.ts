import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { diagnosticCodes } from "../src/Docs.ts"
import { format, parse, print } from "../src/index.ts"
import { lineIndex, positionAt } from "../src/Locate.ts"
import { corpus, corpusFolder } from "./corpusFiles.ts"
import { treeText } from "./treeText.ts"

const isUpdate = process.env["UPDATE"] === "1"

test.each(corpus)("%s has the tree, diagnostics and format that its files say", (name, text) => {
  const { tree, diagnostics } = parse(text)
  expect(print(tree)).toBe(text)
  check(name, "tree", treeText(tree))
  check(name, "diag", diagnosticText(text))
  check(name, "fmt", format(text))
  expect(diagnostics.map(({ start }) => start)).toEqual(diagnostics.map(({ start }) => start).toSorted((a, b) => a - b))
})

test("a diagnostic has the severity of its code", () => {
  const expected = new Map(Object.entries(diagnosticCodes).map(([code, entry]) => [code, entry.severity]))
  const found = corpus.flatMap(([, text]) => parse(text).diagnostics)
  expect(found.filter(({ code, severity }) => expected.get(code) !== severity)).toEqual([])
})

test("the corpus shows every diagnostic code", () => {
  const shown = new Set(corpus.flatMap(([, text]) => parse(text).diagnostics.map(({ code }) => code)))
  expect(Object.keys(diagnosticCodes).filter((code) => !shown.has(code))).toEqual([])
})

test("the readme lists every diagnostic code", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  for (const [code, { severity, summary }] of Object.entries(diagnosticCodes))
    expect(readme).toContain(`| ${code} | ${severity} | ${summary} |`)
})

function check(name: string, extension: string, actual: string): void {
  const file = new URL(`${name}.${extension}`, corpusFolder)
  if (isUpdate) writeFileSync(file, actual)
  expect(actual).toBe(readFileSync(file, "utf8"))
}

function diagnosticText(text: string): string {
  const index = lineIndex(text)
  return parse(text)
    .diagnostics.map(({ code, start, end, message }) => {
      const [from, to] = [positionAt(index, start), positionAt(index, end)]
      return `${code} ${from.line + 1}:${from.character + 1}-${to.line + 1}:${to.character + 1} ${message}\n`
    })
    .join("")
}
