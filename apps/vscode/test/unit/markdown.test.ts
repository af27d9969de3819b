/** What a thread shows, rendered by the Markdown reader that VS Code carries. */
import fc from "fast-check"
import { marked } from "marked"
import { describe, expect, test } from "vitest"

import { resultPayload } from "../../src/notebook/payload.ts"
import { keptMarkdown, resultMarkdown } from "../../src/results/resultMarkdown.ts"
import { summaryLine } from "../../src/results/summary.ts"
import { defineNetwork, Visible } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { report, rows } from "./reports.ts"

const link = { title: "Run again", url: "command:dotrpc.run?%5B%7B%22result%22%3A1%7D%5D" }

const render = (parts: Parameters<typeof report>[0]): string =>
  marked.parse(resultMarkdown(report(parts), [link]), { async: false, gfm: true })

/** The same after a reload of the window. */
const renderKept = (parts: Parameters<typeof report>[0]): string =>
  marked.parse(keptMarkdown({ at: 0, payload: resultPayload(report(parts), 1) }, [link]), { async: false, gfm: true })

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#60": "<",
  "#96": "`",
  emsp: "",
  nbsp: " ",
}

/** The text a reader sees, without the marks that hold a shortened word together. */
const seen = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll("\u2060", "")
    .trim()

const cellsOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map((match) => seen(match[1] ?? ""))

/** As the words are marked: the editor breaks no line within a `span`. */
const red = (...words: ReadonlyArray<string>): string =>
  words.map((word) => `<span style="color:var(--vscode-errorForeground);">${word}</span>`).join(" ")

const dangerous = [
  "[press](command:dotrpc.run)",
  "![](https://example.com/pixel.png)",
  "<img src=x onerror=alert(1)>",
  "<a href='command:dotrpc.run'>press</a>",
  "https://example.com/phish",
  "www.example.com",
  "mail@example.com",
  "a | b \\| c",
  "`code` ``two``",
  "**bold** _soft_ ~~gone~~",
  "&lt;b&gt; &#x3c;",
  "# head",
  "1. list",
  "$(trash)",
  "<!-- comment -->",
  "[x]: command:dotrpc.run",
]

describe("text of a result stays text", () => {
  test.each(dangerous)("in a cell: %s", (text) => {
    const html = render(rows([["1", text]]))
    expect(cellsOf(html)).toEqual(["1", Visible.oneLine(text)])
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).not.toMatch(/<(?:img|script|code|strong|em|del)\b/)
  })

  test.each(dangerous)("in an error: %s", (text) => {
    const html = render({
      status: "failed",
      error: { reason: "Rejected", id: "RPC-2014", message: text, retryable: false },
    })
    expect(seen(html)).toContain(Visible.oneLine(text))
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).not.toContain("<img")
  })

  test("any text of one line survives as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), (text) => {
        fc.pre(Visible.oneLine(text) !== "" && !/[\u2060…]/.test(text))
        expect(cellsOf(render(rows([[text]])))).toEqual([Visible.oneLine(text)])
      }),
      { numRuns: runs(500) },
    )
  })

  test("no text in any place makes a link, a picture, a tag or a turn of direction", () => {
    const steering = [
      "\u202e",
      "\u061c",
      "\u2066",
      "\u009b31m",
      "\u001b[2J",
      "\ud800",
      "\r\n\r\n",
      "\u2028",
      "\u200b",
      "\ufffe",
      "\u{e0041}",
      "|",
      "`",
    ]
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...dangerous, ...steering), fc.string({ unit: "binary", maxLength: 6 })), {
        maxLength: 6,
      })
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 9, maxLength: 9 }), (texts) => {
        const [
          name = "",
          cell = "",
          message = "",
          advice = "",
          note = "",
          check = "",
          problem = "",
          page = "",
          more = "",
        ] = texts
        const table = {
          total: 1,
          noun: ["log", "logs"] as const,
          columns: [{ name }],
          rows: [[cell]],
          links: [[page]],
          notes: [more],
        }
        const said = {
          status: "failed",
          error: { reason: "Rejected", id: "RPC-2014", message, advice, retryable: false },
          note,
          checks: [{ text: check, ok: false, problem, start: 0 }],
          render: () => table,
        } as const
        for (const html of [render(said), renderKept(said)]) {
          const urls = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url = ""]) => url)
          expect(urls.filter((url) => !/^https?:/.test(url))).toEqual([link.url])
          expect(urls.length).toBeLessThanOrEqual(URL.canParse(page) ? 2 : 1)
          expect([...html.matchAll(/<([a-z]+\d?)/g)].map(([, tag]) => tag)).toEqual(
            expect.not.arrayContaining(["img", "script", "svg", "iframe", "code", "pre", "style", "input", "h1"]),
          )
          // The editor would not break these lines.
          expect(html.match(/<span[^>]*>[^<]* /g)).toBeNull()
          // What holds a shortened word together is ours.
          expect(html.replaceAll("\u2060…\u2060", "…")).not.toMatch(
            // oxlint-disable-next-line no-control-regex -- These are what must not be there.
            /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Cf}\p{Noncharacter_Code_Point}]/u,
          )
        }
      }),
    )
  })

  test("line breaks become spaces, and characters that are not seen are marked", () => {
    expect(Visible.oneLine("a\r\nb\u2028c\u202ed\u0000e\u200bf")).toBe("a b\ufffdc\ufffdd␀e\ufffdf")
  })
})

test("a result of an earlier window shows its error, checks and first rows", () => {
  const word = `0x${"ab".repeat(32)}`
  const parts = {
    ...rows([[word], ["2"]], 1204),
    checks: [
      { start: 0, text: "x > 2", ok: false, actual: 1, expected: 2 },
      { start: 0, text: "y", ok: true },
    ],
  }
  const html = renderKept(parts)
  expect(cellsOf(html)).toEqual(["0xababab…ababab", "2"])
  expect(seen(html)).toContain("x > 2: actual 1")
  expect(seen(html)).toContain("✓ y")
  const error = { reason: "NotFound", id: "RPC-2008", message: "unknown block", retryable: false }
  expect(seen(renderKept({ status: "rpc-error", error }))).toContain("unknown block")
})

describe("cells that an explorer has a page of", () => {
  const cellLink = (page: string) => {
    const table = {
      total: 1,
      noun: ["log", "logs"] as const,
      columns: [{ name: "block" }],
      rows: [["17"]],
      links: [[page]],
    }
    return /<td[^>]*>(?:(?!<\/td>).)*<a href="([^"]*)"/s.exec(render({ render: () => table }))?.[1]
  }
  test("lead there", () => expect(cellLink("https://scan.example/block/17")).toBe("https://scan.example/block/17"))
  test("lead to no other kind of URL", () => expect(cellLink("command:dotrpc.run")).toBeUndefined())
  test("cannot end the link early", () =>
    expect(cellLink("https://scan.example/tx/a)b|c(d")).toBe("https://scan.example/tx/a%29b%7cc%28d"))
})

describe("what a thread shows", () => {
  const check = (parts: Parameters<typeof report>[0], expected: string) =>
    expect(resultMarkdown(report(parts), [link])).toBe(`[Run&nbsp;again](${link.url})&nbsp;&nbsp;&nbsp;\n\n${expected}`)

  test("five rows, numbers to the right, and how many more there are", () => {
    const many = Array.from({ length: 9 }, (_, index) => [String(index), "x"])
    const lines = ["0", "1", "2", "3", "4"].map((index) => `| ${index}&emsp; | x&emsp; |`)
    const head = ["| column&nbsp;0&emsp; | column&nbsp;1&emsp; |", "|---:|:---|"]
    check(rows(many, 1204), `${[...head, ...lines].join("\n")}\n\n… 1,199 more`)
  })

  test("an amount and its unit stay on one line, and long words do not", () => {
    const amount = "9.642239678818344301 SMPL"
    const words = "many words that a narrow editor breaks"
    expect(render(rows([[amount, words]]))).toMatch(/9\.642239678818344301&nbsp;SMPL.*many words/s)
  })

  test("a long cell is cut before it is escaped", () => {
    const html = render(rows([["|".repeat(200)]]))
    expect(cellsOf(html)).toEqual([`${"|".repeat(69)}…`])
  })

  test("one value as words, when there are no rows", () => {
    const render = () => ({ total: 1, columns: [], rows: [], headline: "0x2a · 42" })
    expect(resultMarkdown(report({ result: "0x2a", render }), [])).toBe("0x2a · 42")
  })

  test("an error with the server's code and what to do", () => {
    const error = {
      reason: "NotFound",
      id: "RPC-2008",
      code: -32_000,
      message: "unknown block",
      advice: "Check it.",
      retryable: false,
    }
    const markdown = resultMarkdown(report({ status: "rpc-error", error }), [])
    expect(markdown).toBe(`${red("**unknown**", "**block**", "(-32000)")}  \n→ Check it\\.`)
  })

  test("what the server sent, when it is not what the method promises", () => {
    const error = { reason: "Malformed", id: "RPC-2013", message: "result.a: expected text", retryable: false }
    const markdown = resultMarkdown(report({ status: "failed", error: { ...error, received: { a: 5n, b: "x" } } }), [])
    expect(markdown).toContain("What the server sent:")
    expect(cellsOf(marked.parse(markdown, { async: false, gfm: true }))).toEqual(["a", "5", "b", "x"])
  })

  test("checks that broke come first, each with what was found", () => {
    const checks = [
      { start: 0, text: "result > 0", ok: true },
      { start: 0, text: "result == 1", ok: false, actual: 18_446_744_073_709_551_615n },
      { start: 0, text: "nope", ok: false, problem: "unknown name" },
      { start: 0, text: "credits", ok: true },
    ]
    expect(resultMarkdown(report({ checks }), [])).toBe(
      [
        `${red("✗", "**result**", "**\\=\\=**", "**1**,", "actual", "18446744073709551615")}  `,
        red("✗", "**nope**:", "unknown", "name"),
        "",
        "✓ result \\> 0&emsp;✓ credits",
      ].join("\n"),
    )
  })

  test("what a check compares is not a tag, and breaks no emphasis", () => {
    const checks = [
      { start: 0, text: "result > 0", ok: true },
      { start: 0, text: "result < 2", ok: false, actual: 21 },
      {
        start: 0,
        text: "snapshot",
        ok: false,
        problem: "1 value differs from the snapshot",
        differences: [{ path: "result.a", left: 1, right: "<b>" }],
      },
      { start: 0, text: 'result < "`"', ok: false, actual: "`" },
    ]
    const html = render({ checks })
    expect(html).toContain("<strong>&#60;</strong>")
    expect(seen(html)).toContain("✗ result < 2, actual 21")
    expect(seen(html)).toContain("- result.a: 1")
    expect(seen(html)).toContain('+ result.a: "<b>"')
    expect(seen(html)).toContain('result < "`", actual "`"')
  })

  test("a comparison comes before the rows, with what differs on the other network", () => {
    const compare = {
      network: defineNetwork({ id: "other", plugin: "evm" }),
      status: "ok" as const,
      equal: false,
      differences: [{ path: "result.a", left: 1, right: "<b>" }],
      total: 1,
      calls: 1,
      credits: 80,
      ms: 12,
    }
    const html = render({ status: "check-failed", compare })
    expect(html).toContain("<strong>differs</strong>")
    expect(seen(html)).toContain("≠ 1 value differs on other · 12 ms · 80 credits")
    expect(seen(html)).toContain("- result.a: 1")
    expect(seen(html)).toContain('+ result.a: "<b>"')
    expect(summaryLine(report({ status: "check-failed", compare }))).toMatch(/^✗ .* · differs on other$/)
    const same = { ...compare, equal: true, differences: [], total: 0 }
    expect(seen(render({ compare: same }))).toContain("= equal on other · 12 ms · 80 credits")
  })

  test("a row that is wider than the editor leaves room for its scrollbar", () => {
    const last = (cell: string) => lastOf(rows([[cell, cell]]))
    const lastOf = (parts: Parameters<typeof report>[0]) => resultMarkdown(report(parts), [link]).split("\n\n").at(-1)
    expect(last("x".repeat(20))).toContain("x".repeat(20))
    expect(last("x".repeat(30))).toBe("&nbsp;")
    const message = (text: string) =>
      lastOf({ status: "failed", error: { reason: "Rejected", id: "RPC-2014", message: text, retryable: false } })
    expect(message("some words ".repeat(20))).toMatch(/words/)
    expect(message(`0x${"ab".repeat(32)}`)).toBe("&nbsp;")
  })

  test("a long name of a column is shortened as a cell is", () => {
    const list = rows([["1"]])
    const table = { ...list.render(1), columns: [{ name: "n".repeat(200), align: "left" as const }] }
    expect(render({ ...list, render: () => table })).toContain(`${"n".repeat(69)}\u2060…`)
  })

  test("a note on how it was sent", () => {
    expect(render({ ...rows([["1"]]), note: 'encoding "jsonParsed" was added' })).toContain(
      "<em>encoding &quot;jsonParsed",
    )
  })
})
