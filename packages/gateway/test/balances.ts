/** The laws of balances, over every place where they are kept. */
import { runs } from "@dotrpc/vitest/depth"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Balances, memoryBalances } from "../src/index.ts"
import { noon } from "./gatewayRequests.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

const charge = fc.record({ method: fc.constantFrom("eth_getLogs", "eth_chainId"), credits: fc.nat(300) })
const step = fc.oneof(
  fc.record({ do: fc.constant("admit" as const), charges: fc.array(charge, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant("refund" as const), part: fc.nat(100) }),
  fc.record({ do: fc.constant("wait" as const), millis: fc.constantFrom(1, 400, 1_000, day / 2, day, -day) }),
)
const limits = fc.record({ daily: fc.nat(2_000), perSecond: fc.nat(500) }, { requiredKeys: ["daily"] })
type Steps = ReadonlyArray<typeof step extends fc.Arbitrary<infer Step> ? Step : never>

/** Everything that balances say while the steps are taken, each by the next gateway. */
const saidBy = async (
  gateways: ReadonlyArray<Balances>,
  key: string,
  steps: Steps,
  given: { readonly daily: number; readonly perSecond?: number },
) => {
  const said: Array<unknown> = []
  let now = noon
  let last = { method: "eth_getLogs", credits: 0, day: 0 }
  for (const [index, taken] of steps.entries()) {
    const chosen = gateways[index % gateways.length] ?? expect.fail("there is no gateway")
    if (taken.do === "wait") now += taken.millis
    else if (taken.do === "admit") {
      const admission = await run(chosen.admit(key, taken.charges, given, now))
      said.push(admission)
      const [first] = taken.charges
      if (admission.admitted && first !== undefined) last = { ...first, day: admission.day }
    } else {
      const credits = Math.min(taken.part, last.credits)
      said.push(await run(chosen.refund(key, { method: last.method, credits }, last.day, now)))
      last = { ...last, credits: last.credits - credits }
    }
    said.push(await run(chosen.balance(key, now)))
  }
  return said
}

const passing = fc.record({
  /** What passes, in minutes. */
  passes: fc.constantFrom(0, 1, 5, 29, 200, 1_440, 20_000),
  /** How wrong the clock then is for a moment, in hours. */
  wrong: fc.constantFrom(0, 3, -3, 240, -240, 960),
})

/** Whichever gateway is asked, the charges of a day count, and are exact whenever the clock is right. */
const expectExactCount = async (
  gateways: ReadonlyArray<Balances>,
  key: string,
  steps: ReadonlyArray<{ readonly passes: number; readonly wrong: number }>,
) => {
  let now = noon
  let truth = 0
  let asked = 0
  const next = () => gateways[asked++ % gateways.length] ?? expect.fail("there is no gateway")
  const admit = async (wrong = 0) => {
    const charges = [{ method: "m", credits: 2 }]
    const admission = await run(next().admit(key, charges, { daily: 1_000 }, now + wrong * hour))
    if (!admission.admitted) return expect.fail("refused")
    truth += 2
    return admission
  }
  const spent = async () => (await run(next().balance(key, now))).spent
  for (const { passes, wrong } of steps) {
    if (Math.floor((now + passes * minute) / day) > Math.floor(now / day)) truth = 0
    now += passes * minute
    await admit()
    expect(await spent()).toBeGreaterThanOrEqual(truth)
    const { day: chargedOn } = await admit(wrong)
    expect(await spent()).toBeGreaterThanOrEqual(truth)
    await run(next().refund(key, { method: "m", credits: 1 }, chargedOn, now))
    truth -= 1
    expect(await spent()).toBeGreaterThanOrEqual(truth)
    // A clock that was ahead is set right within an hour, or has insisted.
    now += 61 * minute
    if (Math.floor(now / day) > Math.floor((now - 61 * minute) / day)) truth = 0
  }
}

/** `gateways` are on one place; each key is a new balance there. */
export const balanceLaws = (place: string, gateways: () => Promise<ReadonlyArray<Balances>>) =>
  describe(`balances ${place}`, () => {
    let keys = 0

    it("say what those of one gateway in memory say, whichever of two gateways is asked", async () => {
      const open = await gateways()
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), limits, async (steps, given) => {
          const key = `key ${keys++}`
          expect(await saidBy(open, key, steps, given)).toEqual(await saidBy([memoryBalances()], key, steps, given))
        }),
        { numRuns: runs(300) },
      )
    })

    it("never spend more than the daily balance, and the methods add up to what is spent", async () => {
      const open = await gateways()
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          for (const said of await saidBy(open, `key ${keys++}`, steps, { daily: 1_000 })) {
            const { byMethod = {}, spent } = said as { readonly spent: number; readonly byMethod?: object }
            if (typeof said !== "object" || spent === undefined) continue
            expect(spent).toBeGreaterThanOrEqual(0)
            expect(spent).toBeLessThanOrEqual(1_000)
            if ("byMethod" in said!) expect(Object.values(byMethod).reduce((sum, part) => sum + part, 0)).toBe(spent)
          }
        }),
        { numRuns: runs(100) },
      )
    })

    it("restore no credits and lose none over a clock that is wrong for moments", async () => {
      const open = await gateways()
      await fc.assert(
        fc.asyncProperty(fc.array(passing, { maxLength: 15 }), (steps) =>
          expectExactCount(open, `key ${keys++}`, steps),
        ),
        { numRuns: runs(100) },
      )
    })

    it("keep the balance of each key, and admit nothing beyond it at once", async () => {
      const open = await gateways()
      const key = `key ${keys++}`
      const admissions = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          run(
            (open[index % open.length] ?? memoryBalances()).admit(
              key,
              [{ method: "m", credits: 100 }],
              { daily: 950 },
              noon,
            ),
          ),
        ),
      )
      expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(9)
      expect(await run((open[0] ?? memoryBalances()).balance(`key ${keys++}`, noon))).toMatchObject({ spent: 0 })
    })
  })
