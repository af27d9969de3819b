/** A long body is read while it comes, and means what its text means. */
import { isDeep, runs } from "@dotrpc/vitest/depth"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { atOnce, type LongBody, readBody, readingContent, Redaction, type ReplyBody, Wire } from "../src/index.ts"
import { disguised } from "./disguises.ts"

const key = "s3cr3t-K3y_0f/th1s"
const secrets = [Redacted.make(key)]

/** So much space that a body with it is long. */
const space = " ".repeat(4 * 1_048_576)

const streamOf = (bytes: Uint8Array, sizes: ReadonlyArray<number>) => {
  let from = 0
  let next = 0
  const state = { isCancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (from >= bytes.length) return controller.close()
      const size = sizes[next++ % sizes.length] ?? 1
      controller.enqueue(bytes.subarray(from, from + size))
      from += size
    },
    cancel: () => void (state.isCancelled = true),
  })
  return { state, stream }
}

const sizes = fc.array(fc.integer({ min: 1_000, max: 2_000_000 }), { minLength: 1, maxLength: 5 })

const valueOf = (text: string): object => {
  try {
    return { value: Wire.parseReply(text) }
  } catch (error) {
    return { error }
  }
}

const long = (body: ReplyBody | undefined): LongBody => {
  if (typeof body !== "object") throw new Error("The body is not long.")
  return body
}

const said = ({ json }: LongBody): object =>
  Result.match(json, { onSuccess: (value): object => ({ value }), onFailure: (error) => ({ error }) })

const texts = fc.oneof(
  fc.json(),
  fc.json({ stringUnit: "grapheme" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "[1.50, 18446744073709551615]", '["ä😀"]', "<p>busy</p>"),
)

describe("a long body", () => {
  it("has the value and the length of its text, however its bytes are divided", () =>
    fc.assert(
      fc.asyncProperty(texts, texts, sizes, fc.integer({ min: 0, max: 5 }), async (before, after, pieces, shift) => {
        const text = `[${before},${space.slice(shift)}${before}${after}]`
        const bytes = new TextEncoder().encode(text)
        const body = long(await readBody(streamOf(bytes, pieces).stream, { limit: bytes.length, secrets }))
        expect(said(body)).toEqual(valueOf(text))
        expect(body.bytes).toBe(bytes.length)
        expect(text.startsWith(body.start) && body.start.length > 65_536).toBe(true)
        for (const content of [text, bytes]) {
          const read = atOnce(readingContent(content, secrets))
          expect([said(read), read.bytes, read.mayHold]).toEqual([said(body), body.bytes, body.mayHold])
        }
      }),
      // Each of them reads megabytes, three times.
      { numRuns: isDeep ? 15 : 3 },
    ))
  it("is text where it is short", async () => {
    const bytes = new TextEncoder().encode('["ä"]')
    expect(await readBody(streamOf(bytes, [1]).stream, { limit: 100, secrets })).toBe('["ä"]')
  })
  for (const more of [0, 1])
    it(`is ${more === 0 ? "read" : "cancelled"} where it has ${more} bytes more than the limit`, async () => {
      const bytes = new TextEncoder().encode(`${space}[]`)
      const { state, stream } = streamOf(bytes, [100_000])
      const body = await readBody(stream, { limit: bytes.length - more, secrets })
      expect([body === undefined, state.isCancelled]).toEqual([more > 0, more > 0])
    })
  it("is read to its end where it is not JSON", async () => {
    const { stream } = streamOf(new TextEncoder().encode(`<${space}`), [1_000_000])
    const body = long(await readBody(stream, { limit: Infinity, secrets }))
    expect([body.bytes, body.mayHold]).toEqual([space.length + 1, false])
    expect(said(body)).toEqual(valueOf("<"))
  })
  it("rejects where it breaks off", async () => {
    const broken = new Error("cut off")
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`[${space}`)),
      pull: (controller) => controller.error(broken),
    })
    await expect(readBody(stream, { limit: Infinity, secrets })).rejects.toBe(broken)
  })
})

describe("a text that is watched while it comes in pieces", () => {
  const mayHold = (text: string, cuts: ReadonlyArray<number>): boolean => {
    const watch = Redaction.watch(secrets)
    let from = 0
    for (const cut of [...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]) {
      watch.add(text.slice(from, cut))
      from = cut
    }
    return watch.mayHold()
  }
  it("may hold a key wherever one is found, whatever it is disguised as and wherever it is cut", () =>
    fc.assert(
      fc.property(
        disguised(key, 2),
        fc.integer({ min: 0, max: 140_000 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        ({ text }, before, cuts) => {
          const value = `${"zz,".repeat(50_000).slice(0, before)} ${text} zz`
          const found = Redaction.scrubJson(value, secrets) !== value
          const source = JSON.stringify([value])
          const at = source.indexOf(text.slice(0, 4))
          expect(found && !mayHold(source, [...cuts, Math.max(0, at) + 3])).toBe(false)
        },
      ),
      { numRuns: runs(200) },
    ))
  it("holds none where there is nothing like one", () => {
    const row = JSON.stringify({ address: `0x${"ab".repeat(20)}`, removed: false })
    expect(mayHold(`[${Array.from({ length: 5_000 }, () => row).join()}]`, [1, 70_000, 131_072])).toBe(false)
  })
})
