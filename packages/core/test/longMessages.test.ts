/** Long messages are taken out of what a server sends over a WebSocket, and everything else is passed on. */
import { runs } from "@dotrpc/vitest/depth"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { makeLongMessages, TooManyFrames } from "../src/internal/longMessages.ts"

const switching =
  "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"

interface Frame {
  readonly kind: number
  readonly payload: Uint8Array
  readonly isFinal?: boolean | undefined
  readonly reserved?: number | undefined
  readonly isMasked?: boolean | undefined
}

const bytesOf = ({ isFinal = true, isMasked = false, kind, payload, reserved = 0 }: Frame): Buffer => {
  const { length } = payload
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  header[0] = (isFinal ? 0x80 : 0) | reserved | kind
  header[1] = (length < 126 ? length : length < 65_536 ? 126 : 127) | (isMasked ? 0x80 : 0)
  if (header.length === 4) header.writeUInt16BE(length, 2)
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([header, payload])
}

/** What a message was read as: its bytes, or why it is not whole. */
type Taken = Promise<Buffer | Error>

/** Feeds bytes in pieces of these lengths, over and over. */
const feed = (bytes: Uint8Array, cuts: ReadonlyArray<number>) => {
  const passed: Array<Uint8Array> = []
  const taken: Array<Taken> = []
  const messages = makeLongMessages({
    onMessage: (pieces) =>
      void taken.push(
        new Response(pieces as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer().then(
          (whole) => Buffer.from(whole),
          (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
        ),
      ),
    pause: () => {},
    resume: () => {},
  })
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (cuts[turn % cuts.length] ?? bytes.length)
    passed.push(...messages.take(bytes.slice(at, end)))
    at = end
  }
  messages.end()
  return { passed: Buffer.concat(passed), taken: Promise.all(taken) }
}

const check = async (
  bytes: Uint8Array,
  cuts: ReadonlyArray<number>,
  expected: { readonly passed: Uint8Array; readonly taken: ReadonlyArray<Uint8Array | "broken"> },
) => {
  const { passed, taken } = feed(bytes, cuts)
  assert.isTrue(passed.equals(expected.passed), "what is passed on")
  const read = await taken
  assert.strictEqual(read.length, expected.taken.length)
  for (const [index, message] of expected.taken.entries()) {
    const found = read[index]
    assert.isTrue(message === "broken" ? found instanceof Error : Buffer.isBuffer(found) && found.equals(message))
  }
}

const text = 1
const continuation = 0
const ping: Frame = { kind: 9, payload: Buffer.from("are you there") }

/** A message, the control frames between its own, and whether it is taken out. */
interface Sent {
  readonly frames: ReadonlyArray<Frame>
  readonly isLong: boolean
}

const payload = fc
  .tuple(fc.constantFrom(0, 1, 125, 126, 65_535, 65_536, 65_537, 200_000), fc.nat(255))
  .map(([length, fill]) => Buffer.alloc(length, fill))

const sent: fc.Arbitrary<Sent> = fc.oneof(
  payload.map((payload) => ({ frames: [{ kind: text, payload }], isLong: payload.length > 65_536 })),
  fc.array(payload, { minLength: 2, maxLength: 4 }).map((payloads) => ({
    frames: payloads.flatMap((payload, index) => [
      { kind: index === 0 ? text : continuation, payload, isFinal: index === payloads.length - 1 },
      ...(index < payloads.length - 1 ? [ping] : []),
    ]),
    isLong: true,
  })),
  // Bytes, and what is packed, are left to `ws`; so are pieces of either.
  payload.map((payload) => ({ frames: [{ kind: 2, payload }], isLong: false })),
  payload.map((payload) => ({ frames: [{ kind: text, payload, reserved: 0x40 }], isLong: false })),
  payload.map((payload) => ({
    frames: [
      { kind: text, payload, reserved: 0x40, isFinal: false },
      { kind: continuation, payload },
    ],
    isLong: false,
  })),
  fc.constant({ frames: [ping], isLong: false }),
)

const isControl = ({ kind }: Frame) => kind >= 8

describe("of what a server sends", () => {
  it("long messages are taken out whole, and the rest is passed on, wherever it is cut", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(switching, hints + switching, hints + hints + switching),
        fc.array(sent, { maxLength: 8 }),
        fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 70_000 })), { minLength: 1 }),
        (head, all, cuts) =>
          check(
            Buffer.concat([Buffer.from(head), ...all.flatMap(({ frames }) => frames.map(bytesOf))]),
            [...cuts, 65_536],
            {
              passed: Buffer.concat([
                Buffer.from(head),
                ...all.flatMap(({ frames, isLong }) =>
                  frames.filter((frame) => !isLong || isControl(frame)).map(bytesOf),
                ),
              ]),
              taken: all
                .filter(({ isLong }) => isLong)
                .map(({ frames }) =>
                  Buffer.concat(frames.filter((frame) => !isControl(frame)).map(({ payload }) => payload)),
                ),
            },
          ),
      ),
      { numRuns: runs(60) },
    ))

  const long = { kind: text, payload: Buffer.alloc(70_000, "x") }
  const begun = { kind: text, payload: Buffer.from("be"), isFinal: false }
  const checkAll = (name: string, head: string, taken: ReadonlyArray<Frame>, left: ReadonlyArray<Frame>) =>
    it(name, () =>
      check(Buffer.concat([Buffer.from(head), ...[...taken, ...left].map(bytesOf)]), [7, 65_536], {
        passed: Buffer.concat([
          Buffer.from(head),
          // So that `ws` minds the rest.
          ...(taken.length > 0 && left.length > 0 ? [bytesOf({ ...begun, payload: Buffer.alloc(0) })] : []),
          ...left.map(bytesOf),
        ]),
        taken: taken.map(() => "broken"),
      }),
    )
  checkAll("everything is passed on where the socket is refused", "HTTP/1.1 403 No\r\n\r\n", [], [long])
  checkAll("everything is passed on where the server does not speak HTTP", "SSH-2.0-OpenSSH_9.6\r\n", [], [long])
  checkAll("everything is passed on after a head without an end", "HTTP/1.1 101 x".padEnd(20_000, "x"), [], [long])
  checkAll("a message that breaks off fails", switching, [begun], [])
  checkAll("a message in another is left to ws, and so is the rest", switching, [begun], [long, long])
  checkAll("a masked frame is left to ws", switching, [], [{ ...begun, isMasked: true }, long])
  checkAll(
    "a piece that uses what is reserved is left to ws",
    switching,
    [begun],
    [{ kind: continuation, payload: Buffer.from("gun"), reserved: 0x40 }],
  )

  it("a message in more frames than anyone needs fails, and its rest is left to ws", async () => {
    const frames = Array.from({ length: 20_000 }, (_, index) =>
      bytesOf({ kind: index === 0 ? text : continuation, payload: Buffer.from(" "), isFinal: false }),
    )
    const { passed, taken } = feed(Buffer.concat([Buffer.from(switching), ...frames]), [65_536])
    const [first] = await taken
    assert.instanceOf(first, TooManyFrames)
    assert.isAbove(passed.length, switching.length)
  })

  it("nothing makes it throw", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constantFrom(bytesOf(long), bytesOf(begun)))),
        async (junk) => {
          const bytes = Buffer.concat([Buffer.from(switching), ...junk])
          const { passed, taken } = feed(bytes, [3, 65_536])
          await taken
          assert.isAtMost(passed.length, bytes.length)
        },
      ),
    ))
})

describe("a server", () => {
  /** Sends a message of three megabytes as long as it may, and then the rest, once this has happened. */
  const check = (name: string, then: (stream: ReadableStream<Uint8Array>, isPaused: () => boolean) => Promise<void>) =>
    it(`has to wait while nobody reads its message, until ${name}`, async () => {
      const server = { isPaused: false }
      let stream = new ReadableStream<Uint8Array>()
      const messages = makeLongMessages({
        onMessage: (pieces) => {
          stream = pieces
        },
        pause: () => {
          server.isPaused = true
        },
        resume: () => {
          server.isPaused = false
        },
      })
      messages.take(Buffer.from(switching))
      const message = bytesOf({ kind: text, payload: Buffer.alloc(3_000_000, "x") })
      let at = 0
      while (!server.isPaused) messages.take(message.subarray(at, (at += 65_536)))
      assert.isBelow(at, 1_200_000)
      await then(stream, () => server.isPaused)
      assert.isFalse(server.isPaused)
      while (at < message.length) messages.take(message.subarray(at, (at += 65_536)))
      assert.isFalse(server.isPaused)
      // The rest is of the message, whether anyone wants it or not.
      const next = bytesOf({ kind: text, payload: Buffer.from("next") })
      assert.deepStrictEqual(Buffer.concat(messages.take(next)), next)
    })
  check("somebody reads it", async (stream, isPaused) => {
    const reader = stream.getReader()
    while (isPaused()) await reader.read()
  })
  check("nobody wants it", (stream) => stream.cancel())
})
