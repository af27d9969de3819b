/**
 * Takes long messages out of what a server sends over a WebSocket, so that they can be read while they arrive: the package
 * `ws` hands a message over when it is whole, and has it twice in memory then.
 *
 * Invariants: what is passed on is what the server sent without these messages, byte by byte, wherever it is cut into
 * pieces. From a frame that breaks the protocol on all of it is passed on, so that `ws` gives the socket up as it would by itself. Of a
 * message no more waits than its reader asks for.
 */
import { type ChunkStream, chunkStream } from "./chunkStream.ts"

export interface LongMessages {
  /** Takes the next bytes of the connection, and returns those that are not of a long message. */
  readonly take: (bytes: Uint8Array) => ReadonlyArray<Uint8Array>
  /** The connection has ended, and a message that has begun will not be whole. */
  readonly end: () => void
}

export interface Receiver {
  /** A message has begun. The stream fails where it breaks off. */
  readonly onMessage: (pieces: ReadableStream<Uint8Array>) => void
  /** Enough waits to be read: the server has to wait. */
  readonly pause: () => void
  readonly resume: () => void
}

/** A message in more frames than anyone needs: each of them costs work, and may be empty. */
export class TooManyFrames extends Error {}

export const makeLongMessages = ({ onMessage, pause, resume }: Receiver): LongMessages => {
  let place: "the head of HTTP" | "frames" | "unknown" = "the head of HTTP"
  let head = ""
  /** How much of the two line breaks after a head has come. */
  let breaks = 0
  /** Whether the two sides have agreed that messages may be packed. */
  let mayPack = false
  /** The beginning of a frame's header, of which the rest has not come. */
  let held = new Uint8Array(0)
  /** Of the frame that has begun: how many bytes are missing, and what they are of. */
  let left = 0
  let isApart = false
  let isLast = false
  /** A message that is left to `ws` has begun, and more frames of it follow. */
  let isOthersOpen = false
  /** The message that is taken out, and how many frames and bytes it has so far. */
  let message: ChunkStream | undefined
  let frames = 0
  let bytes = 0

  const fail = (error: Error): void => leave((whole) => whole.fail(error))
  const endFrame = (): void => {
    if (isApart && isLast) leave((whole) => whole.close())
  }
  const leave = (end: (message: ChunkStream) => void): void => {
    if (message === undefined) return
    end(message)
    message = undefined
    // A stream that has ended asks for no more, however much of it waits to be read.
    resume()
  }

  /** How many of these bytes are of the heads of HTTP: before the one that opens the socket there may be others. */
  const afterHead = (bytes: Uint8Array): number => {
    for (let at = 0; ;) {
      let end = at
      while (end < bytes.length && breaks < 4) breaks = afterByte(breaks, bytes[end++])
      if (head.length + end - at > longestHead) place = "unknown"
      if (place === "unknown") return bytes.length
      head += String.fromCharCode(...bytes.subarray(at, end))
      if (breaks < 4) return end
      const status = /^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? ""
      place = status === "101" ? "frames" : status.startsWith("1") ? place : "unknown"
      mayPack = /^sec-websocket-extensions:.*permessage-deflate/im.test(head)
      head = ""
      breaks = 0
      at = end
      if (place !== "the head of HTTP") return at
    }
  }

  /** What a frame is of, by its header. */
  const beginFrame = (header: Header): void => {
    const isControl = header.kind >= 8
    left = header.length
    isLast = header.isFinal
    if (message === undefined && !isOthersOpen && beginsLong(header)) {
      message = chunkStream({ pause, resume, giveUp: resume })
      frames = 0
      bytes = 0
      onMessage(message.stream)
    }
    isApart = message !== undefined && !isControl
    if (!isApart && !isControl) isOthersOpen = !isLast
    if (isApart) {
      frames++
      bytes += left
    }
    if (left === 0) endFrame()
  }

  /** `undefined` when it is not all there, and an error where `ws` reads no more. */
  const nextHeader = (begun: Uint8Array): Header | Error | undefined => {
    const isOpen = message !== undefined || isOthersOpen
    if (breaksProtocol(begun, isOpen, mayPack)) return new Error("The server breaks the protocol.")
    const header = headerOf(begun)
    if (header === undefined) return undefined
    if (header.length > Number.MAX_SAFE_INTEGER) return new Error("A frame is longer than anyone can count.")
    if (header.kind === goodbye) return new Error("The connection was closed.")
    return message !== undefined && header.kind < 8 && frames >= mostFrames + bytes / 1_024
      ? new TooManyFrames("A message has too many frames.")
      : header
  }

  return {
    take: (piece) => {
      const passed: Array<Uint8Array> = []
      let at = place === "the head of HTTP" ? afterHead(piece) : 0
      /** Where begins what is passed on. */
      let from = 0
      const passUpTo = (to: number) => {
        if (to > from) passed.push(piece.subarray(from, to))
      }
      while (at < piece.length) {
        if (place !== "frames") break
        if (left === 0) {
          const begun = held.length === 0 ? piece.subarray(at) : joined(held, piece)
          const header = nextHeader(begun)
          if (header === undefined) {
            passUpTo(at)
            held = begun.slice()
            return passed
          }
          if (header instanceof Error) {
            passUpTo(at)
            from = at
            // In the middle of a message `ws` minds what it takes for a message otherwise.
            if (message !== undefined && !(header instanceof TooManyFrames)) passed.push(beginning)
            if (held.length > 0) passed.push(held)
            fail(header)
            place = "unknown"
            break
          }
          const start = at
          at += header.size - held.length
          beginFrame(header)
          if (isApart) passUpTo(start)
          else if (held.length > 0) passed.push(held)
          held = new Uint8Array(0)
          if (isApart) from = at
        }
        const end = Math.min(piece.length, at + left)
        if (isApart && end > at) message?.push(piece.subarray(at, end))
        left -= end - at
        at = end
        if (isApart) from = at
        if (left === 0) endFrame()
      }
      passUpTo(piece.length)
      return passed
    },
    end: () => fail(new Error("The connection was closed.")),
  }
}

/** How many of four characters have come that end a head, after one more. */
const afterByte = (breaks: number, byte: number | undefined): number => {
  if (byte === 0x0d) return breaks === 2 ? 3 : 1
  return byte === 0x0a && (breaks === 1 || breaks === 3) ? breaks + 1 : 0
}

/**
 * Whether `ws` closes the socket because of the first two bytes of a frame; it does not wait for the rest.
 *
 * @param isOpen whether a message has begun of which frames are missing
 */
const breaksProtocol = (begun: Uint8Array, isOpen: boolean, mayPack: boolean): boolean => {
  const first = begun[0]
  const second = begun[1]
  if (first === undefined || second === undefined) return false
  const reserved = first & 0x70
  const kind = first & 0x0f
  if (second >= 0x80 || (reserved !== 0 && !(reserved === packed && mayPack))) return true
  if (kind < 8) return kind === continuation ? reserved !== 0 || !isOpen : kind > binary || isOpen
  const isFinal = first >= 0x80
  return kind > pong || !isFinal || reserved !== 0 || second > 125 || (kind === goodbye && second === 1)
}

/** What is packed is left to `ws`, and so is what is short. */
const beginsLong = ({ isFinal, kind, length, reserved }: Header): boolean =>
  kind === text && reserved === 0 && (!isFinal || length > short)

interface Header {
  /** In bytes. */
  readonly size: number
  readonly isFinal: boolean
  readonly reserved: number
  readonly kind: number
  /** Of what follows it. */
  readonly length: number
}

/** `undefined` when it is not all there (RFC 6455, section 5.2). */
const headerOf = (bytes: Uint8Array): Header | undefined => {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  const said = second & 0x7f
  const size = said === 127 ? 10 : said === 126 ? 4 : 2
  if (bytes.length < size) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, size)
  return {
    size,
    isFinal: (first & 0x80) !== 0,
    reserved: first & 0x70,
    kind: first & 0x0f,
    length: said === 127 ? Number(view.getBigUint64(2)) : said === 126 ? view.getUint16(2) : said,
  }
}

const joined = (held: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(longestHeader)
  both.set(held)
  both.set(bytes.subarray(0, longestHeader - held.length), held.length)
  return both.subarray(0, held.length + bytes.length)
}

const longestHeader = 10

const continuation = 0
const text = 1
const binary = 2
const goodbye = 8
const pong = 10

/** A message without text, which has not ended. */
const beginning = Uint8Array.of(text, 0)

/** The bit of a message that is packed. */
const packed = 0x40

/** A message of up to so many bytes in one frame is left to `ws`. */
const short = 65_536

/** As `ws` has it; a message with a kilobyte in each, which `ws` would refuse, may have any number. */
const mostFrames = 16_384

/** As Node has it, for the head of a response. */
const longestHead = 16_384
