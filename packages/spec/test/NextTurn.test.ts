import { afterEach, describe, expect, it, vi } from "vitest"
import { nextTurn, pausing } from "../src/index.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A clock that goes on only with work. */
const stopClock = () => void vi.useFakeTimers({ toFake: ["performance"] })

/** Takes a millisecond. */
const work = (): void => void vi.advanceTimersByTime(1)

/** How often the event loop comes round while something is awaited. */
const turnsDuring = async (act: () => Promise<unknown>): Promise<number> => {
  let [turns, isOver] = [0, false]
  const turn = (): void => {
    if (isOver) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  await act()
  isOver = true
  return turns
}

describe("the next turn", () => {
  it("lets timers come", async () => {
    const come: Array<string> = []
    setTimeout(() => come.push("a timer"), 0)
    // Where none ever comes, the test does not end.
    while (come.length === 0) await nextTurn()
    expect(come).toEqual(["a timer"])
  })
  it("lets all that waits run once", async () => {
    const turns = await turnsDuring(async () => {
      for (let count = 0; count < 20; count++) await nextTurn()
    })
    expect(turns).toBe(20)
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
  it("let everything else run every 5 ms between pieces of one who waits", async () => {
    stopClock()
    const pause = pausing()
    const turns = await turnsDuring(async () => {
      for (let piece = 0; piece < 60; piece++) {
        await pause()
        work()
      }
    })
    expect(turns).toBe(11)
  })
  it("do the same between the pieces of many who wait, in their order", async () => {
    stopClock()
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
    expect(turns).toBe(11)
    expect(order).toEqual(pieces)
  })
})
