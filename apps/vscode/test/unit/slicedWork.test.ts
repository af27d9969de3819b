/** Long work about documents: one at a time for each, nothing stale, and at once what takes a moment only. */
import type { Steps } from "@dotrpc/analysis"
import { describe, expect, it } from "vitest"

import { SlicedWork } from "../../src/language/SlicedWork.ts"

interface State {
  readonly version: number
  /** How long the work goes on, in steps; each keeps the thread for a while. */
  readonly steps: number
}

const document = {}

const make = () => {
  const begun: Array<number> = []
  const work = new SlicedWork<object, State, string>({
    isSame: (left, right) => left.version === right.version,
    work: function* ({ version, steps }, before): Steps<string> {
      begun.push(version)
      for (let step = 0; step < steps; step++) {
        keepBusy(11)
        yield
      }
      return `version ${version} after ${before?.outcome ?? "nothing"}`
    },
  })
  return { begun, work }
}

/** On the processor, as an analysis would. */
const keepBusy = (millis: number): void => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

const short = (version: number): State => ({ version, steps: 0 })
const long = (version: number): State => ({ version, steps: 4 })

describe("long work about a document", () => {
  it("is done at once when it takes a moment", () => {
    const { work } = make()
    expect(work.current(document, short(1))).toBe("version 1 after nothing")
    expect(work.current(document, short(2))).toBe("version 2 after version 1 after nothing")
  })

  it("gives no outcome of another state while it goes on", async () => {
    const { work } = make()
    work.current(document, short(1))
    expect(work.current(document, long(2))).toBeUndefined()
    expect(await work.latest(document, () => long(2))).toBe("version 2 after version 1 after nothing")
    expect(work.current(document, long(2))).toBe("version 2 after version 1 after nothing")
  })

  it("is begun once for however many who ask", async () => {
    const { begun, work } = make()
    work.current(document, long(1))
    await Promise.all([1, 2, 3].map(() => work.latest(document, () => long(1))))
    expect(begun).toEqual([1])
  })

  it("gives anyone who waits the state that there is by then", async () => {
    const { begun, work } = make()
    let state = long(1)
    const waiting = work.latest(document, () => state)
    state = long(2)
    work.current(document, state)
    expect(await waiting).toBe("version 2 after nothing")
    expect(begun).toEqual([1, 2])
  })

  it("keeps nothing of a state that has passed", async () => {
    const { work } = make()
    work.current(document, short(1))
    work.current(document, long(2))
    expect(work.current(document, short(1))).toBe("version 1 after nothing")
    await new Promise((resolve) => void setTimeout(resolve, 0))
    expect(work.current(document, short(1))).toBe("version 1 after nothing")
  })

  it("lets what waits for its turn run in between", async () => {
    const { work } = make()
    const order: Array<string> = []
    setTimeout(() => order.push("a key"), 0)
    await work.latest(document, () => long(1)).then(() => order.push("the analysis"))
    expect(order).toEqual(["a key", "the analysis"])
  })

  it("says what it throws to anyone who waits", async () => {
    const work = new SlicedWork<object, number, string>({
      isSame: (left, right) => left === right,
      work: function* () {
        yield
        throw new Error("no further")
      },
    })
    await expect(work.latest(document, () => 1)).rejects.toThrow("no further")
  })
})
