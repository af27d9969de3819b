import { atOnce, type Steps } from "@dotrpc/spec"
import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Gateway } from "../src/index.ts"
import { madeInSteps } from "../src/internal/madeInSteps.ts"

afterEach(() => void vi.restoreAllMocks())

/** Counts to three, one number a step. */
const counting = (made: Array<number>) =>
  madeInSteps(function* (): Steps<{ readonly count: number }> {
    for (let count = 1; count <= 3; count++) {
      made.push(count)
      yield
    }
    return { count: made.length }
  })

describe("what is made in steps", () => {
  const check = (what: string, act: (value: ReturnType<typeof counting>) => void) =>
    it(`is made once ${what}`, () => {
      const made: Array<number> = []
      const value = counting(made)
      act(value)
      expect(value.get()).toBe(value.get())
      expect(value.get()).toEqual({ count: 3 })
      expect(made).toEqual([1, 2, 3])
      expect(value.isMade()).toBe(true)
    })
  check("when it is asked for", () => {})
  check("when somebody takes its steps", (value) => atOnce(value.making()))
  check("when somebody gives up after a step, and another goes on", (value) => {
    const first = value.making()
    first.next()
    first.return()
    atOnce(value.making())
  })
  check("when two take its steps by turns", (value) => {
    const both = [value.making(), value.making()]
    while (both.some((steps) => steps.next().done !== true));
  })

  it("is begun again after it failed", () => {
    let attempts = 0
    const value = madeInSteps(function* (): Steps<{ readonly attempts: number }> {
      attempts++
      yield
      if (attempts === 1) throw new Error("no room")
      return { attempts }
    })
    expect(() => value.get()).toThrow("no room")
    expect(value.get()).toEqual({ attempts: 2 })
  })
})

it("a gateway lets everything else on the thread run while it makes the chain that its first call reads", async () => {
  // Another size than the usual one, which other tests may have made.
  const gateway = Gateway.make({ sample: { blocks: 400, logs: 4_000, seed: 5 } })
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  let [turns, isOver, time] = [0, false, 0]
  // Each look at the clock takes a millisecond, so that time is counted in steps.
  vi.spyOn(performance, "now").mockImplementation(() => time++)
  const turn = () => {
    if (isOver) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  const call = () => Effect.runPromise(gateway.handle({ network: "evm", key: "local", now: 0, body }))
  const replies = await Promise.all([call(), call()])
  isOver = true
  expect(replies.map((reply) => reply.body)).toEqual(Array(2).fill('{"jsonrpc":"2.0","id":1,"result":"0x18f"}'))
  expect(turns).toBeGreaterThan(50)
})
