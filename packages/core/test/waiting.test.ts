/** What is decided about calls that wait to be paid, without a clock, a ledger or a fiber. */
import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { CreditBudget, CreditLedger, type Priority } from "../src/index.ts"
import * as Second from "../src/internal/second.ts"
import * as Waiting from "../src/internal/waiting.ts"

interface Call extends Waiting.Waiter {
  readonly name: string
}

let calls = 0
const call = (name: string, overrides: Partial<Waiting.Need> = {}): Call => ({
  id: calls++,
  name,
  price: 100,
  priority: "interactive",
  allowances: [],
  ...overrides,
})

const line = (perSecond: number | undefined, ...joined: ReadonlyArray<Call>): Waiting.Waiting<Call> =>
  joined.reduce(
    (waiting, one) => Waiting.join(waiting, one),
    Waiting.nobody<Call>(perSecond === undefined ? undefined : Second.fresh(perSecond)),
  )

const allowance = (limit: number, { reserved = 0, spent = 0 } = {}) => {
  const made = CreditBudget.makeAllowance({ name: "limit", limit })
  made.reserve(spent)
  made.settle(spent, spent)
  made.reserve(reserved)
  return made
}

const rules = { waits: true, now: 0 }

/** A value in a word, with the name of the call it is about. */
const shown = (decided: Waiting.Arrival<Call> | Waiting.Look<Call>): string => {
  const parts = [decided._tag, "one" in decided ? decided.one.name : "", "millis" in decided ? decided.millis : ""]
  return parts.filter((part) => part !== "").join(" ")
}

describe("a call that arrives", () => {
  const check = (name: string, waiting: Waiting.Waiting<Call>, one: Call, expected: string, waits = true) =>
    it(name, () => assert.strictEqual(shown(Waiting.arrive(waiting, one, { ...rules, waits })), expected))

  check("may reserve its price where nothing holds it back", line(undefined), call("a"), "Reserve")
  check("waits where somebody waits", line(undefined, call("b")), call("a"), "Wait")
  check("may reserve its price where the rate has room", line(100), call("a"), "Reserve")
  check("waits for the rate", Waiting.go(line(100), call("b"), 0), call("a"), "Wait")
  check("is refused what no allowance can pay", line(undefined), call("a", { allowances: [allowance(99)] }), "Refuse")
  const busy = () => call("a", { allowances: [allowance(100, { reserved: 50 })] })
  check("waits for an allowance whose credits may be returned", line(undefined), busy(), "Wait")
  check("is refused them where it may not wait", line(undefined), busy(), "Refuse", false)
  const poor = () => call("a", { allowances: [allowance(100, { spent: 50 })] })
  check("is refused credits that are spent", line(undefined), poor(), "Refuse")

  it("takes its share of the rate, and returns it when the ledger refuses", () => {
    const arrival = Waiting.arrive(line(100), call("a"), rules)
    assert(arrival._tag === "Reserve")
    assert.strictEqual(shown(Waiting.arrive(arrival.waiting, call("b"), rules)), "Wait")
    const returned = Waiting.notReserved(arrival.waiting, call("a"))
    assert.strictEqual(shown(Waiting.arrive(returned, call("b"), rules)), "Reserve")
  })
})

describe("a look at the line", () => {
  const check = (name: string, waiting: Waiting.Waiting<Call>, expected: string) =>
    it(name, () => assert.strictEqual(shown(Waiting.look(waiting, rules)), expected))
  const background = { priority: "background" as Priority }
  const blocked = { allowances: [allowance(100, { reserved: 50 })] }

  check("at nobody is the last", line(undefined), "Idle")
  check("lets the first through", line(undefined, call("a"), call("b")), "Reserve a")
  check("lets an interactive call through first", line(undefined, call("a", background), call("b")), "Reserve b")
  check("passes over a call whose allowance is busy", line(undefined, call("a", blocked), call("b")), "Reserve b")
  check("waits for a change where every allowance is busy", line(undefined, call("a", blocked)), "Blocked")
  check("refuses what can never be paid", line(undefined, call("a", { allowances: [allowance(99)] })), "Refuse a")

  it("waits for the rate after one went", () => {
    const [a, b] = [call("a"), call("b")]
    const gone = Waiting.go(line(100, a, b), a, 0)
    assert.strictEqual(shown(Waiting.look(gone, rules)), "Pause b 1000")
    assert.strictEqual(shown(Waiting.look(gone, { ...rules, now: 1_000 })), "Reserve b")
    assert.deepStrictEqual([...Waiting.inTurn(gone)], [b])
  })
})

describe("a day that is used up", () => {
  const full = (overrides: Partial<CreditLedger.LedgerFull>) =>
    new CreditLedger.LedgerFull({
      needed: 100,
      kept: 0,
      daily: 1_000,
      remaining: 0,
      reserved: 0,
      resetsAt: new Date(0),
      ...overrides,
    })
  const check = (name: string, found: Partial<CreditLedger.LedgerFull>, waits: boolean, expected: boolean) =>
    it(name, () => assert.strictEqual(Waiting.mayWait(full(found), waits), expected))

  check("is waited out", {}, true, true)
  check("is not waited out where calls do not wait", {}, false, false)
  check("does not help a call that costs more than a day has", { needed: 1_001 }, true, false)
  check("does not help one that costs more than a day leaves it", { needed: 600, kept: 500 }, true, false)

  it("is looked at again sooner where others have credits reserved", () => {
    assert.strictEqual(Waiting.lookAgainIn(full({ reserved: 5 }), 3_600_000), 1_000)
    assert.strictEqual(Waiting.lookAgainIn(full({}), 3_600_000), 60_000)
    assert.strictEqual(Waiting.lookAgainIn(full({ reserved: 5 }), 20), 20)
  })
})

it("every call that joins goes, is refused or leaves, exactly once, and interactive ones before background ones", () => {
  const [near, far] = [allowance(10_000), allowance(10_000)]
  const joining = fc.record({
    price: fc.integer({ min: 1, max: 500 }),
    priority: fc.constantFrom<Priority>("interactive", "background"),
    allowances: fc.constantFrom([], [near], [far], [near, far], [allowance(50)]),
  })
  fc.assert(
    fc.property(fc.array(fc.record({ joining, leaves: fc.boolean() }), { maxLength: 20 }), (all) => {
      const joined = all.map(({ joining }, index) => call(String(index), joining))
      let waiting = line(500, ...joined)
      const ended: Array<Call> = []
      const end = (one: Call) => {
        assert.notInclude([...Waiting.inTurn(waiting)], one)
        ended.push(one)
      }
      for (const [index, one] of joined.entries())
        if (all[index]?.leaves === true) {
          waiting = Waiting.leave(waiting, one)
          end(one)
        }
      const left = ended.length
      for (let now = 0; !Waiting.isEmpty(waiting);) {
        const seen = Waiting.look(waiting, { waits: true, now })
        assert(seen._tag === "Refuse" || seen._tag === "Pause" || seen._tag === "Reserve")
        if (seen._tag === "Pause") now += seen.millis
        else {
          waiting = seen._tag === "Refuse" ? seen.waiting : Waiting.go(waiting, seen.one, now)
          end(seen.one)
        }
      }
      assert.strictEqual(new Set(ended).size, joined.length)
      assert.strictEqual(ended.length, joined.length)
      const priorities = ended.slice(left).map(({ priority }) => priority)
      assert.isBelow(priorities.lastIndexOf("interactive"), firstOr(priorities.indexOf("background"), joined.length))
    }),
  )
})

const firstOr = (index: number, otherwise: number): number => (index === -1 ? otherwise : index)

it("what a look asks does not grow with the calls that wait", () => {
  const asked = (count: number) => {
    let questions = 0
    const full = allowance(100, { reserved: 100 })
    const counting: CreditBudget.Allowance = new Proxy(full, {
      get: (target, name) => {
        if (name === "covers") questions++
        const value: unknown = Reflect.get(target, name)
        return typeof value === "function" ? value.bind(target) : value
      },
    })
    const waiting = line(undefined, ...Array.from({ length: count }, () => call("a", { allowances: [counting] })))
    assert.strictEqual(shown(Waiting.look(waiting, rules)), "Blocked")
    return questions
  }
  assert.strictEqual(asked(2_000), asked(2))
})
