/** How texts leave this process when their reader is slow or goes away. */
import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
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
