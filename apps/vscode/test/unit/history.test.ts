/** What is kept of runs: without secrets, and no longer than asked for. */
import { makeWorkspace } from "@dotrpc/analysis"
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import { type KeptRun, longestText, outcomeOf, runFromJson, runText } from "../../src/history/KeptRun.ts"
import { keptRuns } from "../../src/history/retention.ts"
import { secretsOf, textWithoutSecrets } from "../../src/history/withoutSecrets.ts"

describe("retention", () => {
  const day = 24 * 60 * 60 * 1_000
  const check = (
    ages: ReadonlyArray<number>,
    limits: Parameters<typeof keptRuns>[1],
    expected: ReadonlyArray<number>,
  ) =>
    expect(
      keptRuns(
        ages.map((age) => ({ at: -age * day })),
        limits,
        0,
      ).map(({ at }) => -at / day),
    ).toEqual(expected)

  test("no more runs than asked for", () => check([0, 1, 2], { runs: 2, days: 30 }, [0, 1]))
  test("none that is older than asked for", () => check([0, 1, 30], { runs: 9, days: 30 }, [0, 1]))
})

describe("secrets", () => {
  const canary = "canary-4f1b2c9d7e8a6053"

  /** Quotes and backslashes look different once they are written as JSON. */
  const secret = fc.stringMatching(/^[A-Z"\\/#&é]{4,20}$/)

  test("no text that comes out holds one, wherever it stood", () => {
    const place = fc.jsonValue({ maxDepth: 4 })
    fc.assert(
      fc.property(place, fc.string(), secret, (value, words, hidden) => {
        const dirty = JSON.parse(JSON.stringify([value, { [`k${hidden}`]: [`${words}${hidden}${words}`] }]))
        const [, kept] = JSON.parse(textWithoutSecrets(dirty, [Redacted.make(hidden)]))
        const texts = Object.entries(kept).flat(2).map(String)
        expect(texts.filter((text) => text.includes(hidden))).toEqual([])
      }),
    )
  })

  test("everything else stays, with every digit", () => {
    const text = '{"lamports":18446744073709551615,"price":1.0,"list":[null,true,"0xab"]}'
    expect(textWithoutSecrets(Json.parse(text), [Redacted.make(canary)])).toBe(text)
    const dirty = Json.parse(text.replace("0xab", canary))
    expect(textWithoutSecrets(dirty, [Redacted.make(canary)])).toBe(text.replace("0xab", "•••"))
  })

  test("those of addresses and those that a text names are known", () => {
    const { workspace } = makeWorkspace({
      plugins: [Evm.plugin],
      config: { networks: { main: { plugin: "evm", url: "https://node.example/v3/{{$secret.KEY}}" } } },
      env: () => undefined,
      secret: (name) => (name === "KEY" ? canary : name === "TOKEN" ? "named-by-the-text" : undefined),
      now: 0,
    })
    const known = secretsOf('### A\neth_getLogs [{ "address": {{$secret.TOKEN}} }]\n', workspace).map(Redacted.value)
    expect(known).toEqual(expect.arrayContaining([canary, "named-by-the-text"]))
  })
})

describe("a run that is kept", () => {
  const run = {
    summary: { id: "1-1", at: 1, uri: "file:///a.rpc", label: "A", method: "m", line: "✓ 1 log", credits: 255 },
    text: "### A\nm\n",
    result: Json.parse("[18446744073709551615]"),
  }
  const readBack = (kept: KeptRun) => runFromJson(Json.parse(runText(kept, [])))
  const failed = {
    summary: run.summary,
    text: run.text,
    error: {
      reason: "ResultMismatch",
      message: "the result is not what m promises: expected an array, found 5",
      advice: "look at what the server sent",
      received: Json.parse('{"lamports":18446744073709551615}'),
    },
  }

  test("is read back, and anything else is refused", () => {
    expect(readBack(run)).toEqual(run)
    expect(() => runFromJson(Json.parse('{"summary":{"id":1}}'))).toThrow()
  })

  test("leaves out a result that is too long, and nothing else", () => {
    const { result: _tooLong, ...rest } = run
    expect(readBack({ ...run, result: "x".repeat(longestText) })).toEqual(rest)
  })

  test("and failed, says how, and what came all the same, with every digit", () => {
    expect(readBack(failed)).toEqual(failed)
    expect(outcomeOf(readBack(failed))).toEqual({ error: failed.error })
  })

  test("and failed with more than is kept, still says how", () => {
    const { received: _tooLong, ...rest } = failed.error
    const kept = readBack({ ...failed, error: { ...rest, received: "x".repeat(longestText) } })
    expect(kept).toEqual({ ...failed, error: rest })
    expect(outcomeOf(kept)).toEqual({ error: rest })
  })

  test("holds no secret in what came either", () => {
    const secret = Redacted.make("canary-77aa")
    const received = ["canary-77aa", { message: "at https://node.example/v3/canary-77aa" }]
    const text = runText({ ...failed, error: { ...failed.error, message: "canary-77aa", received } }, [secret])
    expect(text).not.toContain("canary")
    expect(text).toContain("node.example")
  })
})
