/** Pages of servers that name pages again: each is asked for once, and what they held is kept. */
import { assert, describe, it } from "vitest"
import * as Schema from "effect/Schema"
import { afterPage, defineMethod, firstPlace, type Json, type PagePlace, Price } from "../src/index.ts"

interface Params {
  readonly after?: string
}

interface Page {
  readonly items: ReadonlyArray<string>
  readonly token?: string | null
}

const method = defineMethod<Params, Page>({
  plugin: "test",
  name: "test_list",
  summary: "",
  docs: "",
  params: Schema.Struct({ after: Schema.optionalKey(Schema.String) }),
  result: Schema.Struct({
    items: Schema.Array(Schema.String),
    token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
  price: Price.assumed(1),
  idempotent: true,
  examples: [],
  pages: {
    next: (params, { token }) => (typeof token === "string" ? { ...params, after: token } : undefined),
    join: (pages) => ({ items: pages.flatMap(({ items }) => items) }),
  },
  render: () => ({ total: 0, columns: [], rows: [] }),
})

/** Pages as a server gives them in turn: `a b > T` is a page of two items that names the token T, and one without `>` is the last. */
const pageOf = (written: string): Page => {
  const [items = "", token] = written.split(">")
  const page = { items: items.split(" ").filter((item) => item !== "") }
  return token === undefined ? page : { ...page, token: token.trim() }
}

/** What was kept, the tokens that were asked for, and how it ended. */
const walk = (pages: ReadonlyArray<string>) => {
  const asked: Array<string> = []
  const kept: Array<string> = []
  let place: PagePlace | undefined = firstPlace(method, {})
  let ended = "last"
  while (place !== undefined) {
    const { after = "" } = place.params as Params
    asked.push(after)
    const page = pageOf(pages[asked.length - 1] ?? "unexpected")
    const step = afterPage(method, place, { ...page } as Json.Json)
    // A page that is read again after a failure changes nothing.
    assert.deepStrictEqual(afterPage(method, place, { ...page } as Json.Json), step)
    if (step.items.length > 0) kept.push(...page.items)
    if (step.stopped !== undefined) ended = step.stopped.cause
    if (step.note !== undefined) ended = "noted"
    place = step.next
  }
  return `${asked.join(",")} | ${kept.join(" ")} | ${ended}`
}

describe("pages", () => {
  const table: ReadonlyArray<readonly [title: string, pages: ReadonlyArray<string>, expected: string]> = [
    ["are read to the one without a token", ["a > 1", "b > 2", "c"], ",1,2 | a b c | last"],
    ["may be empty, and equal to others", ["a > 1", "> 2", "a > 3", "a"], ",1,2,3 | a a a | last"],
    ["that name the token they were asked by end there", ["a > 1", "b > 1"], ",1 | a b | repeated"],
    ["that come again with their token are kept once", ["a > 1", "a > 1"], ",1 | a | repeated"],
    ["that are empty and name their own token end there", ["a > 1", "> 1"], ",1 | a | repeated"],
    ["that go round end where they close", ["a > 1", "b > 2", "c > 1"], ",1,2 | a b c | repeated"],
    ["that go round to the first one keep it once", ["a > 1", "b > 2", "a > 1"], ",1,2 | a b | repeated"],
    ["that name an empty token end with a note", ["a > 1", "b >"], ",1 | a b | noted"],
    ["that name an empty token at once end with a note", ["a >"], " | a | noted"],
  ]
  for (const [title, pages, expected] of table) it(title, () => assert.strictEqual(walk(pages), expected))
})

describe("a walk over many pages", () => {
  it("keeps little of each, and takes no page for another", () => {
    let place: PagePlace | undefined = firstPlace(method, {})
    const filler = "x".repeat(500)
    for (let page = 1; page <= 10_000; page++) {
      const step = afterPage(method, place, { items: [filler], token: `${filler}${page}` })
      assert.strictEqual(step.items.length, 1)
      if (step.next === undefined) throw new Error(`page ${page} is the last`)
      place = step.next
    }
    const kept = [...(place.way?.named.keys() ?? [])]
    assert.strictEqual(kept.length, 10_001)
    assert.isAtMost(Math.max(...kept.slice(0, 100).map((key) => key.length)), 8)
  })
})
