/** Whatever happens to the calls of a link, each of them ends once. */
import * as fc from "fast-check"
import { assert, it } from "@effect/vitest"
import { makeOpenCalls } from "../src/internal/socket/openCalls.ts"

type Event = { readonly _tag: "Begin" } | { readonly _tag: "End"; readonly id: number } | { readonly _tag: "EndAll" }

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Event>({ _tag: "Begin" }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("End" as const), id: fc.integer({ min: -1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.constant<Event>({ _tag: "EndAll" }) },
)

it("each call ends once, however replies, losses and callers follow each other", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      const calls = makeOpenCalls<string>()
      const begun: Array<string> = []
      const ended: Array<string> = []
      const end = (id: number) => {
        const wasOpen = calls.get(id)
        const call = calls.end(id)
        assert.strictEqual(call, wasOpen)
        if (call !== undefined) ended.push(call)
      }
      for (const event of events) {
        if (event._tag === "Begin") {
          const call = `call ${begun.length + 1}`
          begun.push(call)
          const id = calls.nextId()
          assert.strictEqual(id, begun.length)
          calls.begin(id, call)
        } else if (event._tag === "End") end(event.id)
        else calls.ids().forEach(end)
        assert.strictEqual(calls.ids().length, begun.length - ended.length)
        assert.strictEqual(calls.isEmpty(), begun.length === ended.length)
        for (let id = -1; id <= 21; id++) assert.strictEqual(calls.wasSent(id), id >= 1 && id <= begun.length)
      }
      calls.ids().forEach(end)
      assert.deepStrictEqual(ended.toSorted(), begun.toSorted())
      assert.strictEqual(new Set(ended).size, ended.length)
    }),
  )
})

it("those that begin while all are ended are none of them", () => {
  const calls = makeOpenCalls<string>()
  for (const call of ["a", "b"]) calls.begin(calls.nextId(), call)
  for (const id of calls.ids()) {
    calls.end(id)
    calls.begin(calls.nextId(), "again")
  }
  assert.deepStrictEqual(calls.ids(), [3, 4])
})
