/**
 * A law: whatever frames a server sends, and wherever they are cut, what is taken out of its messages and what `ws` is left with are
 * together what `ws` alone would hear: the same messages, pings and pongs, the same goodbye, and the same fault.
 */
import { runs } from "@dotrpc/vitest/depth"
import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import type { Writable } from "node:stream"
import { constants, deflateRawSync } from "node:zlib"
import * as ws from "ws"
import { makeLongMessages } from "../src/internal/longMessages.ts"

/** Not among the declared exports. */
const Receiver = Reflect.get(ws, "Receiver") as new (options: object) => Writable
const PerMessageDeflate = Reflect.get(ws, "PerMessageDeflate") as {
  readonly extensionName: string
  new (options: object): { readonly accept: (offers: ReadonlyArray<object>) => object }
}

interface Frame {
  readonly isFinal: boolean
  readonly reserved: number
  readonly kind: number
  readonly isMasked: boolean
  readonly size: number
  readonly fill: string
  /** How the length is written: in as few bytes as it takes, in more of them, or as another one. */
  readonly length: "short" | "two bytes" | "eight bytes" | bigint
}

const frame: fc.Arbitrary<Frame> = fc.record({
  isFinal: fc.oneof({ arbitrary: fc.constant(true), weight: 3 }, { arbitrary: fc.constant(false), weight: 2 }),
  reserved: fc.oneof(
    { arbitrary: fc.constant(0), weight: 40 },
    { arbitrary: fc.constant(0x40), weight: 6 },
    { arbitrary: fc.constantFrom(0x10, 0x20, 0x60), weight: 1 },
  ),
  kind: fc.oneof(
    { arbitrary: fc.constantFrom(0, 0, 0, 1, 1, 1, 1, 2, 9, 10), weight: 30 },
    { arbitrary: fc.constant(8), weight: 1 },
    { arbitrary: fc.constantFrom(3, 7, 11, 15), weight: 1 },
  ),
  isMasked: fc.oneof({ arbitrary: fc.constant(false), weight: 60 }, { arbitrary: fc.constant(true), weight: 1 }),
  size: fc.constantFrom(0, 1, 2, 125, 126, 65_535, 65_536, 65_537, 100_000),
  fill: fc.constantFrom("a", "b", "c"),
  length: fc.oneof(
    { arbitrary: fc.constant<Frame["length"]>("short"), weight: 20 },
    { arbitrary: fc.constantFrom<Array<Frame["length"]>>("two bytes", "eight bytes"), weight: 4 },
    {
      arbitrary: fc.constantFrom<Array<Frame["length"]>>(
        100_001n,
        2n ** 53n - 1n,
        2n ** 53n,
        2n ** 63n,
        2n ** 64n - 1n,
      ),
      weight: 1,
    },
  ),
})

const bytesOf = ({ isFinal, isMasked, kind, length, reserved }: Frame, payload: Buffer): Buffer => {
  const said = typeof length === "bigint" ? length : BigInt(payload.length)
  const isLonger = typeof length === "bigint" || length === "eight bytes" || said >= 65_536n
  const size = isLonger ? 10 : length === "two bytes" || said >= 126n ? 4 : 2
  const header = Buffer.alloc(size)
  header[0] = (isFinal ? 0x80 : 0) | reserved | kind
  header[1] = (size === 10 ? 127 : size === 4 ? 126 : payload.length) | (isMasked ? 0x80 : 0)
  if (size === 4) header.writeUInt16BE(Number(said), 2)
  if (size === 10) header.writeBigUInt64BE(said, 2)
  return Buffer.concat([header, payload])
}

/** The frames as they are sent: most continue what is open, control frames are short, and what is packed can be unpacked. */
const sentAs = (frames: ReadonlyArray<Frame>, mayPack: boolean, isTidy: boolean): Buffer => {
  let open: "text" | "packed" | undefined
  const sent: Array<Buffer> = []
  for (const each of frames) {
    const plain = Buffer.alloc(each.size, each.fill)
    if (each.kind >= 8) {
      const isShort = isTidy || plain.length < 65_536
      const payload = each.kind === 8 ? Buffer.from([3, 232]) : isShort ? plain.subarray(0, 125) : plain
      sent.push(bytesOf({ ...each, isFinal: isTidy || each.isFinal, reserved: isTidy ? 0 : each.reserved }, payload))
      continue
    }
    const kind = !isTidy || each.kind > 2 ? each.kind : open === undefined ? Math.max(1, each.kind) : 0
    const reserved = isTidy && (kind === 0 || !mayPack) ? 0 : each.reserved
    if (kind !== 0) open = reserved === 0x40 ? "packed" : "text"
    const packed = open === "packed" ? deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH }) : plain
    const payload = open === "packed" && each.isFinal ? packed.subarray(0, -4) : packed
    sent.push(bytesOf({ ...each, kind, reserved }, payload))
    if (each.isFinal) open = undefined
  }
  return Buffer.concat(sent)
}

/** What is heard, in words; the messages in any order, as one that is taken out may end before those that were packed before it. */
interface Heard {
  readonly messages: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

const inWords = (kind: string, bytes: Buffer) =>
  `${kind} of ${bytes.length}: ${[..."abc"].map((letter) => bytes.toString("latin1").split(letter).length - 1).join(" ")}`

const hearing = async (chunks: Iterable<Uint8Array>, mayPack: boolean): Promise<Heard> => {
  const extensions: Record<string, object> = {}
  if (mayPack) {
    const packing = new PerMessageDeflate({})
    packing.accept([{}])
    extensions[PerMessageDeflate.extensionName] = packing
  }
  // What is not UTF-8 in a long message is replaced while it is read, as in a reply over HTTP.
  const receiver = new Receiver({ extensions, skipUTF8Validation: true })
  const messages: Array<string> = []
  const others: Array<string> = []
  receiver.on("message", (bytes: Buffer, isBinary: boolean) =>
    messages.push(inWords(isBinary ? "bytes" : "text", bytes)),
  )
  receiver.on("ping", (bytes: Buffer) => others.push(inWords("ping", bytes)))
  receiver.on("pong", (bytes: Buffer) => others.push(inWords("pong", bytes)))
  receiver.on("conclude", (code: number) => others.push(`goodbye ${code}`))
  receiver.on("error", (error) => others.push(error.message))
  // As a socket does, which `ws` gives up after a fault.
  for (const chunk of chunks) {
    if (receiver.destroyed || receiver.writableEnded) break
    await new Promise<void>((resolve) => void receiver.write(chunk, () => resolve()))
  }
  return { messages: messages.toSorted(), others }
}

const head = (mayPack: boolean) =>
  `HTTP/1.1 101 Switching Protocols\r\n${mayPack ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""}\r\n`

/** What is heard of messages that are taken out, and of the rest by `ws`. */
const hearingInPieces = async (bytes: Buffer, cuts: ReadonlyArray<number>, mayPack: boolean): Promise<Heard> => {
  const taken: Array<Promise<string | undefined>> = []
  const opening = head(mayPack)
  const messages = makeLongMessages({
    onMessage: (pieces) =>
      void taken.push(
        new Response(pieces as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer().then(
          (whole) => inWords("text", Buffer.from(whole)),
          () => undefined,
        ),
      ),
    pause: () => {},
    resume: () => {},
  })
  const passed = Buffer.concat(piecesOf(Buffer.concat([Buffer.from(opening), bytes]), cuts).flatMap(messages.take))
  messages.end()
  assert.strictEqual(passed.toString("latin1", 0, opening.length), opening)
  const rest = await hearing([passed.subarray(opening.length)], mayPack)
  const whole = (await Promise.all(taken)).flatMap((words) => words ?? [])
  return { ...rest, messages: [...whole, ...rest.messages].toSorted() }
}

const piecesOf = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++)
    pieces.push(bytes.subarray(at, (at += cuts[turn % cuts.length] ?? 1)))
  return pieces
}

it("what a server sends is heard as ws alone hears it", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(frame, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.constantFrom(true, true, false),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 70_000 })), { minLength: 1 }),
      async (frames, mayPack, isTidy, cuts) => {
        const bytes = sentAs(frames, mayPack, isTidy)
        assert.deepStrictEqual(
          await hearingInPieces(bytes, [...cuts, 65_536], mayPack),
          await hearing([bytes], mayPack),
        )
      },
    ),
    { numRuns: runs(200) },
  ))
