/** `evm_blockAt` on a chain that is made up: block n is of `begin + 12 n`. */
import { defineNetwork, type Json, type Network } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { block } from "./samples/values.ts"

const begin = 1_793_491_200
const now = (begin + 12_000) * 1_000
const network = defineNetwork({ id: "chain", plugin: "evm" })
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}`
const header = (number: number): Json.JsonObject => ({
  ...(block as Json.JsonObject),
  number: `0x${number.toString(16)}`,
  hash: hashOf(number),
  timestamp: `0x${(begin + 12 * number).toString(16)}`,
})

/** How it ends, and the blocks it asked for, against a server with this newest block. */
const run = (
  time: string | number,
  answer = (asked: Json.Json, head: number): Json.Json => header(asked === "latest" ? head : Number(asked)),
  on: Network = network,
  head = 1_000,
  at = now,
) => {
  const steps = Evm.BlockAt.composite?.calls([time], { network: on, now: at })
  if (steps === undefined) throw new Error("it is a composite")
  const asked: Array<Json.Json> = []
  let step = steps.next()
  while (step.done !== true && asked.length < 50) {
    const [ref = null, full] = step.value as ReadonlyArray<Json.Json>
    expect(full).toBe(false)
    asked.push(ref)
    step = steps.next(answer(ref, head))
  }
  if (step.done !== true) throw new Error("it does not end")
  return { asked, end: step.value }
}

describe("the block of a time", () => {
  const check = (time: string | number, expected: number) =>
    it(`${time} is ${expected}`, () => {
      const { asked, end } = run(time)
      const { number, timestamp } = header(expected)
      expect(end).toEqual({ isFinal: false, result: { number, hash: hashOf(expected), timestamp } })
      expect(asked[0]).toBe("latest")
      expect(asked.length).toBeLessThanOrEqual(8)
    })
  check("now", 1_000)
  check("now + 1 day", 1_000)
  check("1h ago", 700)
  check("61 s ago", 994)
  check("2026-11-01", 0)
  check("2026-11-01T00:00:12Z", 1)
  check(begin + 23, 1)
  check(`0x${(begin + 24).toString(16)}`, 2)
})

describe("it is final", () => {
  const check = (name: string, time: string | number, head: number, expected: boolean) =>
    it(name, () => {
      const daysLater = (begin + 2 * 86_400) * 1_000
      const { end } = run(time, undefined, undefined, head, daysLater)
      expect("isFinal" in end && end.isFinal).toBe(expected)
    })
  check("with 64 blocks after the next one, and more than a day ago", begin + 1_200, 165, true)
  check("not with one block less", begin + 1_200, 164, false)
  check("not within a day", begin + 86_401, 14_400, false)
  check("a day ago", begin + 86_400, 14_400, true)
  check("not for a time that depends on the day", "47 hours ago", 14_400, false)
  check("not if it is the newest", "2026-11-02T12:00Z", 100, false)
})

describe("heights that never have a block", () => {
  const none = new Set([990, 991, 992, 993, 994])
  const before = (number: number): number => (none.has(number) ? before(number - 1) : number)
  const chained = (number: number) => ({ ...header(number), parentHash: hashOf(before(number - 1)) })
  const kinds: Readonly<Record<string, (number: number) => Json.Json>> = {
    "that are null": () => null,
    "for which it shows the block before": (number) => chained(before(number)),
  }
  for (const [kind, shown] of Object.entries(kinds)) {
    const check = (number: number) =>
      it(`${kind}: the last one before height ${number} ends`, () => {
        const { asked, end } = run(begin + 12 * number + 5, (ref, head) => {
          const height = ref === "latest" ? head : Number(ref)
          return none.has(height) ? shown(height) : chained(height)
        })
        expect(end).toMatchObject({ result: { hash: hashOf(before(number)) } })
        expect(asked.length).toBeLessThanOrEqual(14)
      })
    for (const number of [989, 990, 992, 994, 995]) check(number)
  }

  it("are not taken for blocks that a node which is behind does not have", () => {
    const { end } = run(begin + 12 * 992, (ref, head) => {
      const height = ref === "latest" ? head : Number(ref)
      return none.has(height) ? null : { ...header(height), parentHash: hashOf(height - 1) }
    })
    expect(end).toMatchObject({ reason: { _tag: "NodeBehind", message: "the node that was asked has no block 990" } })
  })
})

describe("there is none", () => {
  const check = (what: string, ended: ReturnType<typeof run>, tag: string, said: string) =>
    it(what, () =>
      expect(ended.end).toMatchObject({ reason: { _tag: tag, message: expect.stringContaining(said) as string } }),
    )
  check("before the first block", run("2001-01-01"), "NotFound", "block 0 is from 2026-11-01 00:00:00 UTC")
  check(
    "before what the network keeps",
    run("2026-11-01", undefined, { ...network, historyDepth: 128 }),
    "Unsupported",
    'block 873 is from 2026-11-01 02:54:36 UTC, and network "chain" has only the latest 128 blocks',
  )
  check(
    "without a newest block",
    run("1h ago", () => null),
    "Malformed",
    "the newest block",
  )
  check(
    "where the server shows no other block",
    run("1h ago", (asked) => (asked === "latest" ? header(1_000) : null)),
    "NodeBehind",
    "the node that was asked has no block",
  )
  check(
    "where the server answers with the next block",
    run("1h ago", (asked) => header(asked === "latest" ? 1_000 : Number(asked) + 1)),
    "Malformed",
    "asked for block 500 and answered with block 501",
  )
  check("on a chain that is too long", run("1h ago", undefined, network, 2 ** 32 + 1), "Unsupported", "4,294,967,297")
})

describe("params", () => {
  const check = (params: Json.Json, expected: string | undefined) =>
    it(JSON.stringify(params), () => {
      const [issue] = Evm.BlockAt.issues(params, network)
      if (expected === undefined) expect(issue).toBeUndefined()
      else expect(issue?.message).toContain(expected)
    })
  check(["7 days ago"], undefined)
  check([begin], undefined)
  check(["7 dayz ago"], 'expected a time such as "7 days ago"')
  check([-1], "found -1")
  check([1.5], "found 1.5")
  check([begin * 1_000], "milliseconds: write 1793491200")
  check([], "position 0 is missing: the time")
  check([true], "expected a time")
})

describe("a result is kept", () => {
  const result = { number: "0xa", hash: hashOf(10), timestamp: "0x1" }
  const check = (time: string | number, expected: unknown) =>
    it(`of ${time}`, () => expect(Evm.BlockAt.permanence?.([time], result, network)).toEqual(expected))
  check("2026-11-01", { onceFinal: 11n })
  check(begin, { onceFinal: 11n })
  check("7 days ago", "changing")
})

describe("what a time means", () => {
  const check = (value: Json.Json, expected: string | undefined, at: ReadonlyArray<string | number> = [0]) =>
    it(JSON.stringify([at, value]), () => expect(Evm.BlockAt.meaning?.(at, value, now)).toBe(expected))
  check("1h ago", "2026-11-01 02:20:00 UTC")
  check("2026-11-01T00:00:00+02:00", "2026-10-31 22:00:00 UTC")
  check("nonsense", undefined)
  check(null, undefined)
  check("1h ago", undefined, [1])
})
