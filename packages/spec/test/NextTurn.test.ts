import { afterEach, describe, expect, it, vi } from "vitest"
import { nextTurn, pausing } from "../src/index.ts"

afterEach(() => vi.unstubAllGlobals())

const work = (): void => {
  for (const end = performance.now() + 1; performance.now() < end;);
}

/** How often a timer comes while something is awaited. */
const turnsDuring = async (act: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await act()
  clearInterval(timer)
  return turns
}

describe("the next turn", () => {
  it("lets timers come", async () => {
    const turns = await turnsDuring(async () => {
      for (let count = 0; count < 20; count++) {
        work()
        await nextTurn()
      }
    })
    expect(turns).toBeGreaterThan(1)
  })
  it("comes without a timer in a browser, which has one a second in a page that is hidden", async () => {
    vi.stubGlobal("setImmediate", undefined)
    vi.stubGlobal("setTimeout", () => {
      throw new Error("a timer")
    })
    await expect(nextTurn()).resolves.toBeUndefined()
  })
  it("comes in the order in which it was asked for", async () => {
    vi.stubGlobal("setImmediate", undefined)
    const order: Array<number> = []
    await Promise.all([1, 2, 3].map((number) => nextTurn().then(() => order.push(number))))
    expect(order).toEqual([1, 2, 3])
  })
})

describe("pauses", () => {
  it("let timers come between pieces of one who waits", async () => {
    const pause = pausing()
    const turns = await turnsDuring(async () => {
      for (let piece = 0; piece < 60; piece++) {
        await pause()
        work()
      }
    })
    expect(turns).toBeGreaterThan(1)
  })
  it("let timers come between the pieces of many who wait, in their order", async () => {
    const pause = pausing()
    const order: Array<number> = []
    const pieces = Array.from({ length: 60 }, (_, piece) => piece)
    const turns = await turnsDuring(() =>
      Promise.all(
        pieces.map(async (piece) => {
          await pause()
          order.push(piece)
          work()
        }),
      ),
    )
    expect(turns).toBeGreaterThan(1)
    expect(order).toEqual(pieces)
  })
})
