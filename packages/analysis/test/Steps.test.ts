/** Work in slices: the outcome of all its steps, others let in between, and an end when nobody wants it any more. */
import { textBombs } from "@dotrpc/bombs"
import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze, analyzing, inSlices, type Steps } from "../src/index.ts"
import { workspace } from "./workspace.ts"

function* countTo(last: number, onStep: (step: number) => void = () => undefined): Steps<number> {
  for (let step = 1; step <= last; step++) {
    onStep(step)
    yield
  }
  return last
}

describe("work in slices", () => {
  it("gives what all of its steps come to", async () => {
    expect(await inSlices(countTo(1_000))).toBe(1_000)
  })

  it("lets what waits for its turn run between two slices", async () => {
    const order: Array<string> = []
    setImmediate(() => order.push("another"))
    await inSlices(
      countTo(3, (step) => order.push(`step ${step}`)),
      { sliceMillis: 0 },
    )
    expect(order).toEqual(["step 1", "another", "step 2", "step 3"])
  })

  it("ends without an outcome once nobody wants it", async () => {
    let steps = 0
    const count = countTo(1_000, () => steps++)
    expect(await inSlices(count, { isStale: () => steps >= 3, sliceMillis: 0 })).toBeUndefined()
    expect(steps).toBe(3)
  })

  it("passes on what a step throws", async () => {
    const failing = countTo(3, () => {
      throw new Error("no further")
    })
    await expect(inSlices(failing)).rejects.toThrow("no further")
  })
})

describe("an analysis in slices", () => {
  const check = (name: string, text: string) =>
    it(`is the same as one at once: ${name}`, async () => {
      const [parsed, project] = [parse(text), workspace()]
      const sliced = await inSlices(analyzing(parsed, project), { sliceMillis: 0 })
      const whole = analyze(parsed, project)
      expect(sliced?.diagnostics).toEqual(whole.diagnostics)
      expect(sliced?.requests.map(({ errors, label, price }) => ({ errors, label, price }))).toEqual(
        whole.requests.map(({ errors, label, price }) => ({ errors, label, price })),
      )
    })
  check("nothing", "")
  check(
    "two requests",
    "### a\n# @name a\neth_getLogs [{}]\n?? result.length > 0\n###\neth_getLogs [{{a.result}}, {{b}}]\n",
  )
  for (const { name, text } of textBombs.slice(0, 12)) if (text().length < 100_000) check(name, text())
})
