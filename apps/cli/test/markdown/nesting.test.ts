/** Markdown that is made to keep its reader busy is refused where that begins; other Markdown is read as it always was. */
import { fromMarkdown } from "mdast-util-from-markdown"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fencesIn, requestsIn } from "../../src/markdown/Fences.ts"
import { nestingProblem } from "../../src/markdown/nesting.ts"

const problemIn = (text: string) => nestingProblem(text.split("\n"))

describe("Markdown", () => {
  const check = (what: string, text: string, line: number | undefined) =>
    it(`of ${what} is ${line === undefined ? "read" : "refused"}`, () => expect(problemIn(text)?.line).toBe(line))
  const stairs = (levels: number) => Array.from({ length: levels }, (_, level) => `${"  ".repeat(level)}- a\n`).join("")
  check("a list in a list in a quotation", "> - a\n>   1. b\n\n```rpc\nm\n```\n", undefined)
  check("a line of a hundred quotation marks", `${">".repeat(100)} a\n`, undefined)
  check("more quotation marks", `a\n${">".repeat(101)} a\n`, 2)
  check("more list marks", `${"- ".repeat(101)}a\n`, 1)
  check("more numbers", `${"1. ".repeat(101)}a\n`, 1)
  check("a staircase of lists", stairs(3_000), 101)
  check("many lines under a deep list", stairs(90) + `${" ".repeat(180)}a\n`.repeat(10_000), 2267)
  check("deep code", `\`\`\`\n${`${" ".repeat(400)}a\n`.repeat(10_000)}\`\`\`\n`, undefined)
  check("a ruler", `${"-".repeat(1_000)}\n`, undefined)

  /** How many lists and quotations lie within each other, as the reader has it. */
  const depthOf = (
    node: ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number],
  ): number => {
    const inner = "children" in node ? Math.max(0, ...node.children.map(depthOf)) : 0
    return inner + (node.type === "listItem" || node.type === "blockquote" ? 1 : 0)
  }
  const start = fc.array(fc.constantFrom("> ", ">", "- ", "* ", "1. ", "  ", "   ", "    ", "\t"), { maxLength: 12 })
  const line = fc.tuple(start, fc.constantFrom("a", "", "```rpc", "```", "---"))
  it("is never nested deeper than is counted", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (parts) => {
        const text = parts.map(([before, rest]) => before.join("") + rest).join("\n")
        expect(depthOf(fromMarkdown(text))).toBeLessThanOrEqual(Math.ceil(deepestIn(text)))
      }),
    )
  })

  it("has the fences that it has when its prose is read too", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (parts) => {
        const text = parts.map(([before, rest]) => before.join("") + rest).join("\n")
        const found: Array<number> = []
        const visit = (node: Parameters<typeof depthOf>[0]): void => {
          if (node.type === "code" && node.lang === "rpc") found.push((node.position?.start.line ?? 0) - 1)
          if ("children" in node) node.children.forEach(visit)
        }
        visit(fromMarkdown(text))
        expect(fencesIn(text).map(({ opening }) => opening)).toEqual(found)
      }),
    )
  })

  it("whose prose is made of brackets and asterisks is read", () => {
    for (const piece of ["[", "![", "*a", "_a_ ", "[a](", "`", "<a", "&#", "\\"])
      expect(requestsIn(`a ${piece.repeat(1_000)}\n\n\`\`\`rpc\nm\n\`\`\`\n`)).toContain("\nm\n")
  })
})

/** As many levels as are counted on the line that has the most. */
const deepestIn = (text: string): number => {
  const lines = text.split("\n")
  let [least, most] = [0, 1_000]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (nestingProblem(lines, middle) === undefined) most = middle
    else least = middle + 1
  }
  return least
}
