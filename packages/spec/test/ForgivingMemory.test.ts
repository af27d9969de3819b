/** A memory that fails costs calls, and no result. */
import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { forgiving, type KeptValues } from "../src/index.ts"

const broken = new Error("the disk is full")
const never: KeptValues<number> = { read: () => Effect.never, write: () => Effect.never }

describe("a memory that", () => {
  const check = (what: string, memory: KeptValues<number>) =>
    it(`${what} knows nothing, and keeps nothing`, async () => {
      const { read, write } = forgiving(memory)
      expect(await Effect.runPromise(read("a"))).toBeUndefined()
      expect(await Effect.runPromise(write("a", 1))).toBeUndefined()
    })
  check("rejects", {
    read: () => Effect.promise(() => Promise.reject(broken)),
    write: () => Effect.promise(() => Promise.reject(broken)),
  })
  check("dies", { read: () => Effect.die(broken), write: () => Effect.die(broken) })
  check("throws", {
    read: () => {
      throw broken
    },
    write: () => {
      throw broken
    },
  })

  it("works is the same", async () => {
    const kept = new Map<string, number>()
    const { read, write } = forgiving<number>({
      read: (key) => Effect.sync(() => kept.get(key)),
      write: (key, value) => Effect.sync(() => void kept.set(key, value)),
    })
    await Effect.runPromise(write("a", 1))
    expect(await Effect.runPromise(read("a"))).toBe(1)
  })

  it("hangs is interrupted with its call", async () => {
    const fiber = Effect.runFork(forgiving(never).read("a"))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(Exit.hasInterrupts(await Effect.runPromise(Fiber.await(fiber)))).toBe(true)
  })
})
