/** A hover shows what files and configurations say, and what they say makes no Markdown of its own. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { Evm } from "@dotrpc/plugin-evm"
import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { fromMarkdown } from "mdast-util-from-markdown"
import { describe, expect, it } from "vitest"
import { hover } from "../src/index.ts"
import { codeSpan, escapeMarkdown } from "../src/internal/markdown.ts"

type Node = ReturnType<typeof fromMarkdown>["children"][number] | ReturnType<typeof fromMarkdown>

const nodesOf = (node: Node): ReadonlyArray<Node> => [
  node,
  ...("children" in node ? node.children.flatMap((child) => nodesOf(child as Node)) : []),
]
const kindsOf = (markdown: string): ReadonlyArray<string> => [
  ...new Set(nodesOf(fromMarkdown(markdown)).map(({ type }) => type)),
]
const textOf = (markdown: string): string =>
  nodesOf(fromMarkdown(markdown))
    .map((node) => ("value" in node ? node.value : ""))
    .join("")

const hostile = [
  "[x](command:workbench.action.quit)",
  "![x](https://evil.example/pixel.png)",
  "<img src=x onerror=alert(1)>",
  "<a href='command:x'>x</a>",
  "<https://evil.example>",
  "https://evil.example/x",
  "www.evil.example",
  "ada@evil.example",
  "[x]: https://evil.example",
  "`code`",
  "``` \n rm -rf ~",
  "~~~",
  "| a | b |\n|---|---|\n| c | d |",
  "# heading",
  "- item",
  "1. item",
  "1) item",
  "> quote",
  "***",
  "---",
  "===",
  "_x_ __y__ **z**",
  "a\\",
  "&lt;b&gt; &#60;",
  "\u202egnp.exe",
  "Zq7x\u200bK2mP \ufffe",
  "a\u2028# b",
]
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc
    .array(fc.oneof(fc.constantFrom(...hostile, ..."\\`*_{}[]()<>#+-.!|&~:/@\n\r\t "), fc.string()), { maxLength: 8 })
    .map((parts) => parts.join("")),
)
/** What a person should read. */
const shown = (value: string): string =>
  value
    .replace(/[\t\n\r]/g, " ")
    // oxlint-disable-next-line no-control-regex -- Control characters have pictures of their own.
    .replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll("\u007f", "\u2421")
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu,
      (unseen) => "\ufffd".repeat(unseen.length),
    )
    .replace(/ {2,}/g, " ")
    .trim()

const onlyText = new Set(["root", "paragraph", "text", "strong"])

describe("text in Markdown", () => {
  it("is nothing but text, and reads as it was written", () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const markdown of [
          escapeMarkdown(value),
          `x · ${escapeMarkdown(value)}`,
          `**${escapeMarkdown(value)}** · x`,
        ])
          expect(kindsOf(markdown).filter((kind) => !onlyText.has(kind))).toEqual([])
        expect(textOf(escapeMarkdown(value))).toBe(shown(value))
      }),
      { numRuns: runs(2_000) },
    )
  })
  it("makes no link of a bare address, as editors do", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(escapeMarkdown(value)).not.toMatch(/:\/\/|www\.|[^\\]@/i)
      }),
    )
  })
  it("is one piece of code as code, whatever backticks it has", () => {
    fc.assert(
      fc.property(text, (value) => {
        if (shown(value) === "") return
        expect(kindsOf(`x ${codeSpan(value)}`).filter((kind) => kind !== "inlineCode" && !onlyText.has(kind))).toEqual(
          [],
        )
        expect(textOf(`x ${codeSpan(value)}`)).toBe(`x ${shown(value)}`)
      }),
      { numRuns: runs(2_000) },
    )
  })
  it("that is a plain name is written as it is", () => {
    for (const name of ["eth_getLogs", "evm-l2", "Base Sepolia", "blocks 0–999", "255 credits"])
      expect(escapeMarkdown(name)).toBe(name)
  })
})

describe("a hover", () => {
  const kindsAt = (title: string, source: string, at: string) => {
    const { workspace } = makeWorkspace({
      plugins: [Evm.plugin],
      config: { networks: { evm: { plugin: "evm", url: "embedded:evm", blockTags: [title] } } },
      env: () => undefined,
      secret: () => undefined,
      now: 0,
    })
    const networks = workspace.networks.map((entry) => ({
      ...entry,
      network: { ...entry.network, title },
      problem: title,
    }))
    const found = hover(
      { analysis: analyze(parse(source), { ...workspace, networks }), lines: lineIndex(source) },
      positionAt(source, source.indexOf(at) + 1),
    )
    return found === undefined ? undefined : kindsOf(found.markdown)
  }
  const line = text.map((value) => shown(value)).filter((value) => value !== "")
  const check = (what: string, source: (value: string) => string, at: string) =>
    it(`on ${what} has no link, image, tag or code that nobody meant`, () => {
      let seen = 0
      fc.assert(
        fc.property(line, (value) => {
          const kinds = kindsAt(value, source(value), at)
          if (kinds !== undefined) seen++
          const meant = new Set([...onlyText, "list", "listItem", "code", "inlineCode", "break"])
          expect((kinds ?? []).filter((kind) => !meant.has(kind))).toEqual([])
        }),
        { numRuns: runs(300) },
      )
      expect(seen).toBeGreaterThan(0)
    })
  check("a network", () => "###\n# @network evm\neth_getLogs [{}]\n", "evm\n")
  check(
    "a request of a title",
    (value) => `### ${value}\n# @name first\neth_getBlockByNumber ["0x1"]\n\n###\n# @ref first\neth_getLogs [{}]\n`,
    "first\neth_getLogs",
  )
  check(
    "a value",
    (value) => `# @var\n@greeting = ${JSON.stringify(value)}\n\n###\neth_getLogs [{{greeting}}]\n`,
    "greeting}}",
  )
})
