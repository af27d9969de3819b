/** A title and its comments in a notebook, rendered as GitHub's Markdown: no link, no image and no HTML, whatever they say. */
import { assemble, cellsOf } from "@dotrpc/lang-service"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { marked } from "marked"
import { describe, expect, test } from "vitest"

const render = (text: string): string =>
  cellsOf(text)
    .filter(({ kind }) => kind === "title")
    .map(({ value }) => marked.parse(value, { async: false, gfm: true }))
    .join("")

/** What a reader of Markdown makes by itself of a text without links, images and HTML. */
const ownTags =
  /<\/?(?:h\d|p|em|strong|code(?: class="language-[^"]*")?|del|ul|ol|li|pre|blockquote|hr|br|table|thead|tbody|tr|t[hd](?: align="\w+")?)(?: start="\d+")?\/?>/g

const isPlain = (html: string) => expect(html.replaceAll(ownTags, "")).not.toMatch(/[<>]/)

/** An edit of a cell that changes nothing of its words. */
const rewritten = (text: string): string => {
  const titles = cellsOf(text).filter(({ kind }) => kind === "title")
  return assemble(titles.map(({ kind, value }) => ({ kind, value }))).text
}

const live = [
  "[open](command:workbench.action.showCommands)",
  "![i](http://127.0.0.1:4799/a.png)",
  "\\![i](http://x.example/a.png)",
  "\\[a](http://x.example) \\\\[b](http://x.example) \\\\\\[c](http://x.example)",
  "[a][b] [a][] [a]",
  "[a]: http://x.example",
  "<b>bold</b>",
  "<img src=http://x.example/a.png>",
  "<script>alert(1)</script>",
  "<!-- hidden -->",
  "<http://x.example> <a@x.example>",
  "http://x.example ftp://x.example //x.example",
  "www.x.example WWW.x.example",
  "me@x.example mailto:me@x.example",
  "`code ![i](http://x.example/a.png)",
  "`a` ![i](http://x.example/a.png) `b`",
  "``a ` [b](http://x.example)`` `[c](http://x.example)`",
  "\\`[c](http://x.example)`",
  "| `a | ![i](http://x.example/a.png)` |",
  "- [ ] task <b>x</b>",
]

describe("a title in a notebook makes no link, no image and no HTML", () => {
  const check = (line: string) => {
    for (const text of [
      `### ${line}\nm\n`,
      `### T\n# ${line}\nm\n`,
      `### T\n# | a | b |\n# |---|---|\n# ${line}\nm\n`,
    ]) {
      isPlain(render(text))
      expect(assemble(cellsOf(text)).text).toBe(text)
    }
    expect(rewritten(`### T\n# ${line}\n`)).toBe(`### T\n# ${line}\n`)
    expect(rewritten(`### ${line}\n# words\n`)).toBe(`### ${line}\n# words\n`)
  }

  test.each(live)("%s", (line) => {
    check(line)
    expect.hasAssertions()
  })

  test("any line of such parts", () => {
    const part = fc.constantFrom(
      ..."[|](|)|![|]:|\\|`|``|<|>|<b>|/|//|http:|www.|@|x.example|a|é| ||~~~|-|*|_|&#91;".split("|"),
      "|",
    )
    const line = fc
      .array(part, { minLength: 1, maxLength: 14 })
      .map((parts) => parts.join("").trim())
      // A title of a section has no `#` before it, and a directive is not a comment.
      .filter((text) => text !== "" && !text.startsWith("@"))
    fc.assert(fc.property(line, check), { numRuns: runs(3_000) })
    expect.hasAssertions()
  })

  test("of several lines", () => {
    const line = fc.constantFrom(
      "`",
      "```",
      "~~~",
      "![a",
      "](http://x.example/a.png)",
      "[b]: http://x.example",
      "\\",
      "<b",
      ">",
      "`x`",
      "| a |",
      "|---|",
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        isPlain(render(`### T\n${lines.map((text) => `# ${text}\n`).join("")}m\n`))
      }),
      { numRuns: runs(2_000) },
    )
    expect.hasAssertions()
  })
})

describe("a title in a notebook stays Markdown", () => {
  const check = (line: string, expected: string) => expect(render(`### ${line}\nm\n`)).toBe(`<h3>${expected}</h3>\n`)

  test("with emphasis and code", () => {
    check("**Balance** of `eth_getBalance`", "<strong>Balance</strong> of <code>eth_getBalance</code>")
    check("*a* \\*b\\*", "<em>a</em> *b*")
  })
  test("and shows marks as they were written", () => {
    check("[a](b) <c> `d[0]` \\[e] f@g", "[a](b) &lt;c&gt; `d[0]` \\[e] f@g")
  })
})

test("a link that a person types into a title is written as it is", () => {
  expect(assemble([{ kind: "title", value: "### See [docs](https://x.example) and \\[1]" }]).text).toBe(
    "### See [docs](https://x.example) and [1]\n",
  )
})
