/** The result pane without its page: what differs between results, what is kept of one, and how a request came about. */
import { evmMethod, request as rpcRequest } from "./calls.ts"
import { Json } from "@dotrpc/spec"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"

import { compareRuns } from "../../src/pane/compareRuns.ts"
import { keptResult, keptText, longestText } from "../../src/pane/KeptResult.ts"
import { KeptResults, mostKept } from "../../src/pane/KeptResults.ts"
import { lineDiff } from "../../src/pane/lineDiff.ts"
import { runOfReport } from "../../src/pane/PaneRun.ts"
import { mostAtAnEnd, noteTimeline, TimelineRecorder } from "../../src/run/Timeline.ts"
import { report, rows } from "./reports.ts"

describe("what differs between two texts", () => {
  const signs = { same: " ", removed: "-", added: "+", gap: "~" } as const
  const check = async (before: string, after: string, expected: string) =>
    expect(
      (await lineDiff(before.split(""), after.split(""))).pieces.map(({ kind, text }) => signs[kind] + text).join("|"),
    ).toBe(expected)

  it("is nothing when they are the same", () => check("ab", "ab", "~2 lines are the same"))
  it("is the fewest lines", () => check("abcd", "abxd", " a| b|-c|+x| d"))
  it("stands between the lines around it", () =>
    check("abcdefgh", "abcdXfgh", "~2 lines are the same| c| d|-e|+X| f| g| h"))
  it("is everything where nothing is common", () => check("ab", "xy", "-a|-b|+x|+y"))

  test("the removed and the same lines are the text before, the added and the same that after", async () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, after) => {
        const { added, pieces, removed } = await lineDiff(before, after)
        const only = (kind: "added" | "removed") => pieces.filter((piece) => piece.kind === kind).length
        expect([only("removed"), only("added")]).toEqual([removed, added])
        expect(before.length - removed).toBe(after.length - added)
        if (pieces.some(({ kind }) => kind === "gap")) return
        expect(pieces.filter(({ kind }) => kind !== "added").map(({ text }) => text)).toEqual(before)
        expect(pieces.filter(({ kind }) => kind !== "removed").map(({ text }) => text)).toEqual(after)
      }),
    )
  })

  it("is counted where two long texts have little in common", async () => {
    const many = (sign: string) => Array.from({ length: 5_000 }, (_, index) => `${sign}${index}`)
    const { added, isCut, removed } = await lineDiff([...many("a"), "same"], [...many("b"), "same"])
    expect([removed, added, isCut]).toEqual([5_000, 5_000, true])
  })
})

describe("what is kept of a result", () => {
  const place = { uri: "file:///a.rpc", name: "logs" }

  it("is what a pane shows of it", async () => {
    const run = runOfReport(report(rows([["1", "x"]])))
    const kept = keptResult(await keptText(place, run, []))
    expect({ ...kept, run: kept.run.payload }).toEqual({
      ...place,
      label: "logs",
      run: {
        ...run.payload,
        id: expect.any(Number),
        json: "[]",
        table: expect.objectContaining({ rows: [["1", "x"]] }),
      },
    })
  })

  it("has no secret in it, wherever the server put it", async () => {
    const secret = "canary-3b1f"
    const run = runOfReport(report({ ...rows([[secret]]), note: secret, result: [secret] }))
    expect(await keptText(place, run, [Redacted.make(secret)])).not.toContain(secret)
  })

  it("is bounded, and says how many rows there were", async () => {
    const run = runOfReport(report(rows(Array.from({ length: 2_000 }, () => ["y".repeat(2_000)]))))
    const text = await keptText(place, run, [])
    expect(text.length).toBeLessThan(longestText)
    expect(keptResult(text).run.payload.table?.summary).toBe("the first 250 of 2,000 logs")
  })

  it("leads to no page that is not one", async () => {
    const list = rows([["1"]])
    const text = await keptText(place, runOfReport(report(list)), [])
    const steered = Json.parse(text.replace('"columns"', '"links":[["javascript:alert(1)"]],"columns"'))
    expect(keptResult(Json.stringify(steered)).run.payload.table?.links).toEqual([[null]])
  })

  it.each(["", "[]", '{"version":2}', '{"version":1,"uri":1}'])("is refused when it is something else: %s", (text) =>
    expect(() => keptResult(text)).toThrow(),
  )

  it("is there in the next window, of so many requests", async () => {
    const disk = new Map<string, string>()
    const files = {
      read: async (name: string) => disk.get(name) ?? Promise.reject(new Error("no file")),
      write: async (name: string, text: string) => void disk.set(name, text),
      remove: async (name: string) => void disk.delete(name),
    }
    const first = new KeptResults(files)
    const text = await keptText(place, runOfReport(report(rows([["1"]]))), [])
    for (let count = 0; count < mostKept + 5; count++) await first.keep({ uri: `file:///${count}.rpc` }, "logs", text)
    await first.keep({ uri: "file:///24.rpc" }, "logs", text)
    expect(disk.size).toBe(mostKept + 1)
    expect(await new KeptResults(files).load()).toHaveLength(mostKept)
    await first.clear()
    expect(await new KeptResults(files).load()).toEqual([])
    expect([...disk.keys()]).toEqual(["results.json"])
  })
})

describe("a timeline", () => {
  const recorded = (ends: number) => {
    let now = 1_000
    const recorder = new TimelineRecorder(() => now)
    recorder.observer.onAttempt(1, rpcRequest)
    for (let count = 0; count < ends; count++) {
      now += 10
      recorder.observer.onAttemptEnd?.(
        {
          attempt: 1,
          most: 5,
          host: "node.example",
          reserved: 255,
          charged: 255,
          waited: 0,
          sent: { millis: 10, status: 200 },
        },
        rpcRequest,
      )
    }
    return recorder.timeline
  }

  it("says when each attempt was made and what it was charged", () => {
    const { began, entries } = recorded(2)
    const words = `${evmMethod} on evm (node.example), attempt 1 of 5: HTTP 200, 10 ms, 255 credits of 255 reserved; ok`
    expect([began, entries]).toEqual([
      1_000,
      [
        { at: 0, millis: 10, words, charge: "255 credits" },
        { at: 10, millis: 10, words, charge: "255 credits" },
      ],
    ])
  })

  it("stays small, with its beginning and its end", () => {
    const { entries, leftOut } = recorded(1_000)
    expect([entries.length, leftOut, entries.at(0)?.at, entries.at(-1)?.at]).toEqual([
      2 * mostAtAnEnd,
      1_000 - 2 * mostAtAnEnd,
      0,
      9_990,
    ])
  })

  it("has the request as it was sent, with its secrets masked", () => {
    const { sent } = recorded(1)
    expect(sent?.place).toBe("evm (node.example)")
    expect(sent?.body).toContain(`"method":"${evmMethod}"`)
    expect(sent?.body).not.toContain("canary-77ab")
  })

  it("belongs to its report", () => {
    const own = report(rows([["1"]]))
    noteTimeline(own, recorded(1))
    expect(runOfReport(own)).toMatchObject({ at: 1_000, timeline: { entries: [{ charge: "255 credits" }] } })
  })
})

describe("the differences of decoded rows", () => {
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
  const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`
  const log = (value: number, more: object = {}) => ({
    address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    topics: [transfer, word(1), word(2)],
    data: word(value),
    blockNumber: "0x7",
    transactionHash: word(9),
    transactionIndex: "0x0",
    blockHash: word(8),
    logIndex: "0x0",
    removed: false,
    ...more,
  })
  const runOf = (logs: ReadonlyArray<ReturnType<typeof log>>) => {
    const sample = report()
    const labels = { "0x5fbdb2315678afecb367f032d93f642f64180aa3": "Token" }
    const network = sample.request.network && { ...sample.request.network, labels }
    const request = { ...sample.request, network }
    const result: Json.Json = logs.map((one) => ({ ...one }))
    const render = (limit: number, part: Json.Json = result) =>
      request.method?.render(part, limit, { whole: true }) ?? { total: 0, columns: [], rows: [] }
    return runOfReport({ ...sample, request, result, render })
  }
  const check = (
    what: string,
    [before, after]: readonly [ReadonlyArray<ReturnType<typeof log>>, ReadonlyArray<ReturnType<typeof log>>],
    asked: "rows" | "json",
    expected: { readonly as: "rows" | "json"; readonly lines: ReadonlyArray<RegExp> },
  ) =>
    it(what, async () => {
      const { as, diff, isDecoded } = await compareRuns(runOf(before), runOf(after), asked)
      expect([as, isDecoded]).toEqual([expected.as, true])
      const changed = diff.pieces.filter(({ kind }) => kind === "added" || kind === "removed")
      expect(changed).toHaveLength(expected.lines.length)
      changed.forEach(({ text }, index) => expect(text).toMatch(expected.lines[index] ?? /^$/))
    })
  const row = (value: string) =>
    new RegExp(
      `^block 7 · log 0 · address Token \\(0x5fbdb2315678afecb367f032d93f642f64180aa3\\) · event Transfer · from 0x0{39}1 · to 0x0{39}2 · value ${value} · transaction 0x0{63}9$`,
    )
  check("are read as rows, with labels and whole values", [[log(1_000)], [log(2_000)]], "rows", {
    as: "rows",
    lines: [row("1,000"), row("2,000")],
  })
  check("are those of the JSON where rows look the same", [[log(1)], [log(1, { blockHash: word(10) })]], "rows", {
    as: "json",
    lines: [/"blockHash":"0x0{63}8"/, /"blockHash":"0x0{63}a"/],
  })
  check("are those of the JSON where that is asked for", [[log(1)], [log(2)]], "json", {
    as: "json",
    lines: [/"data":"0x0{63}1"/, /"data":"0x0{63}2"/],
  })
  check("are none of the same result", [[log(1)], [log(1)]], "rows", { as: "json", lines: [] })

  it("are there after a reload of the window, too", async () => {
    const kept = keptResult(await keptText({ uri: "file:///a.rpc" }, runOf([log(1_000)]), []))
    const { as, diff } = await compareRuns(kept.run, runOf([log(2_000)]), "rows")
    expect([as, diff.removed, diff.added]).toEqual(["rows", 1, 1])
    expect(diff.pieces.find(({ kind }) => kind === "removed")?.text).toMatch(row("1,000"))
  })
})
