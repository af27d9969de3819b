/** How texts leave this process when their reader is slow or goes away. */
import { Effect, Exit, Fiber } from "effect"
import { closeSync, openSync } from "node:fs"
import { devNull } from "node:os"
import { Readable, Writable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { outputOf, Report } from "../src/Output.ts"
import { rawOutputOf } from "../src/processHost.ts"

const count = 50

/** A stream, the texts that its reader has not taken yet, and what was heard of them. */
const slow = () => {
  const taken: Array<() => void> = []
  const stream = Object.assign(new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) }), { fd: 1 })
  const heard: Array<string> = []
  const output = rawOutputOf(stream)
  for (let index = 0; index < count; index++)
    output.write("text", { left: () => heard.push(`${index} left`), failed: () => heard.push(`${index} failed`) })
  return { stream, taken, heard }
}
const each = (what: string) => Array.from({ length: count }, (_, index) => `${index} ${what}`)

describe("texts that wait to leave", () => {
  it("are heard of through one listener", () => expect(slow().stream.listenerCount("error")).toBe(1))

  it("are each reported once when their reader goes away", async () => {
    const { heard, stream } = slow()
    await new Promise((closed) => stream.once("close", closed).destroy(new Error("gone")))
    expect(heard).toEqual(each("failed"))
  })

  it("are each reported once when they have left, and nothing listens any more", async () => {
    const { heard, stream, taken } = slow()
    const drained = new Promise((resolve) => stream.end(resolve))
    while (taken.length > 0) {
      taken.shift()?.()
      await new Promise(setImmediate)
    }
    await drained
    expect(heard).toEqual(each("left"))
    expect(stream.listenerCount("error")).toBe(0)
  })
})

describe("a report of 10,000 lines of a kilobyte", () => {
  let fd: number
  beforeAll(() => {
    fd = openSync(devNull, "w")
  })
  afterAll(() => closeSync(fd))

  /** A stream whose reader takes a part when it is asked to, and a report that counts the lines that were made. */
  const begin = (prepare: (stream: Writable) => void = () => {}) => {
    const taken: Array<(error?: Error) => void> = []
    const stream = Object.assign(new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) }), { fd })
    stream.on("error", () => {})
    prepare(stream)
    const output = rawOutputOf(stream)
    const made = { lines: 0 }
    const report = new Report("ndjson", {
      *[Symbol.iterator]() {
        for (; made.lines < 10_000; made.lines++) yield `${"x".repeat(1_000)}\n`
      },
    })
    const stdin = { isTTY: false, stream: () => Readable.from([]) }
    const { writeReport } = outputOf({
      cwd: "/",
      home: "/",
      env: {},
      program: [],
      begun: () => {},
      stdin,
      stdout: output,
      stderr: output,
    })
    return { stream, taken, made, writing: Effect.runFork(writeReport(report)) }
  }
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
  const failed = (code: string) => Object.assign(new Error(`write ${code}`), { code })

  it("is made no faster than its reader takes it, whatever its outputs can keep", async () => {
    const { made, stream, taken, writing } = begin()
    for (let part = 1; part < 20; part++) {
      await turns()
      expect(stream.writableLength).toBeLessThan(70_000)
      expect(made.lines).toBeLessThan(part * 70)
      taken.shift()?.()
    }
    await Effect.runPromise(Fiber.interrupt(writing))
  })
  it("is written to its end", async () => {
    const { made, taken, writing } = begin()
    const ended = Effect.runPromise(Fiber.await(writing))
    for (let part = 0; part < 200; part++) {
      await turns()
      taken.shift()?.()
    }
    expect([Exit.isSuccess(await ended), made.lines]).toEqual([true, 10_000])
  })
  const checkEnd = (what: string, code: string, expected: unknown) =>
    it(`ends when its reader ${what}`, async () => {
      const { made, taken, writing } = begin()
      await turns()
      taken.shift()?.(failed(code))
      const ended = await Effect.runPromise(
        Effect.match(Fiber.join(writing), { onSuccess: () => "ended", onFailure: String }),
      )
      expect(ended).toBe(expected)
      expect(made.lines).toBeLessThan(70)
    })
  checkEnd("has seen enough", "EPIPE", "ended")
  checkEnd("cannot take more", "ENOSPC", "Error: write ENOSPC")
  it("ends when its output has ended before", async () => {
    const { made, stream, writing } = begin((opened) => opened.destroy(failed("EPIPE")))
    expect(Exit.isSuccess(await Effect.runPromise(Fiber.await(writing)))).toBe(true)
    expect([stream.destroyed, made.lines < 70]).toEqual([true, true])
  })
})
