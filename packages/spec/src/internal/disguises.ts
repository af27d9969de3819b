/**
 * Texts within a text: what it says once escapes, base64 or hex are decoded, with the place that each character came from.
 * Every function here takes time in proportion to its text.
 */

import type { Steps } from "../Steps.ts"
import { unseen } from "../Visible.ts"

/** A text, and where its characters stand in the text that everything began with. */
export interface View {
  readonly text: string
  /** Absent for the first text, whose characters stand where they are. */
  readonly places: { readonly starts: Int32Array; readonly ends: Int32Array } | undefined
}

export const startOf = ({ places }: View, index: number): number => places?.starts[index] ?? index

/** Where the character at `index` ends. */
export const endOf = ({ places }: View, index: number): number => places?.ends[index] ?? index + 1

/** Whether {@link unescaped} has anything to do. */
export const hasEscapes = (text: string): boolean => text.includes("%") || text.includes("&") || text.includes("\\")

/** One layer of percent-encoding, HTML entities and escapes of JavaScript taken off; `undefined` where there is none. */
export function* unescaped(view: View): Steps<View | undefined> {
  if (!hasEscapes(view.text)) return undefined
  const { text } = view
  const starts = new Int32Array(text.length)
  const ends = new Int32Array(text.length)
  const pieces: Array<string> = []
  let length = 0
  let copied = 0
  let isChanged = false
  let pause = stride
  const copyTo = (end: number) => {
    pieces.push(text.slice(copied, end))
    for (let index = copied; index < end; index++) {
      starts[length] = startOf(view, index)
      ends[length++] = endOf(view, index)
    }
    copied = end
  }
  for (const match of text.matchAll(escapes)) {
    while (match.index - copied > stride) {
      copyTo(copied + stride)
      yield
    }
    if (match.index >= pause) {
      pause = match.index + stride
      yield
    }
    const plain = meaningOf(match)
    if (plain === undefined) continue
    copyTo(match.index)
    isChanged = true
    copied = match.index + match[0].length
    pieces.push(plain)
    for (let unit = 0; unit < plain.length; unit++) {
      starts[length] = startOf(view, match.index)
      ends[length++] = endOf(view, copied - 1)
    }
  }
  if (!isChanged) return undefined
  while (text.length - copied > stride) {
    copyTo(copied + stride)
    yield
  }
  copyTo(text.length)
  return { text: pieces.join(""), places: { starts, ends } }
}

/** Whether {@link condensed} may have something to do. */
export const hasSeparators = (text: string): boolean => notPlain.test(text) || betweenBytes.test(text)

/**
 * The text without what breaks it up and hardly shows: space, control and format characters, and marks between the bytes of
 * a dump. Letters of full width become ordinary ones. `undefined` where that is the text itself.
 */
export function* condensed(view: View): Steps<View | undefined> {
  const { text } = view
  if (!hasSeparators(text)) return undefined
  const bare = text.replace(separators, (sign) => " ".repeat(sign.length)).replace(betweenAllBytes, " ")
  const starts = new Int32Array(bare.length)
  const ends = new Int32Array(bare.length)
  const codes: Array<string> = []
  let length = 0
  let isChanged = false
  for (let index = 0; index < bare.length; index++) {
    if (index % stride === stride - 1) yield
    const code = bare.charCodeAt(index)
    const isWide = code >= 0xff01 && code <= 0xff5e
    isChanged ||= isWide || code === 0x20
    if (code === 0x20) continue
    codes.push(isWide ? String.fromCharCode(code - 0xfee0) : (bare[index] ?? ""))
    starts[length] = startOf(view, index)
    ends[length++] = endOf(view, index)
  }
  return isChanged ? { text: codes.join(""), places: { starts, ends } } : undefined
}

const notPlain = /[^!-~]/
const separators = new RegExp(String.raw`[\s${unseen}]+`, "gu")

/** As in `5a:71:39` and `5a-71-39`. */
const betweenBytes = /(?<![\da-f])[\da-f]{2}[:-][\da-f]{2}[:-][\da-f]{2}[:-][\da-f]{2}[:-]/i
const betweenAllBytes = /(?<=(?<![\da-f])[\da-f]{2})[:-](?=[\da-f]{2}(?![\da-f]))/gi

/**
 * What runs of base64 and hex say, as far as at least `least` printable characters of ASCII stand together there. Only a few
 * characters of a long text are looked at: anyone who hides `least` characters cannot keep clear of those.
 */
export function* hiddenTexts(view: View, least: number): Steps<ReadonlyArray<View>> {
  const { text } = view
  const found: Array<View> = []
  // So many characters of base64 lie whole within what encodes `least` bytes.
  const digits = Math.floor((8 * least - 5) / 6)
  const looks = digits < 20 ? 4 : 8
  const step = digits - looks + 1
  /** For each alignment, where the last text that was found ends. */
  const seen = new Int32Array(6)
  let pause = stride
  for (let index = 0; index < text.length; index += step) {
    const end = Math.min(pause, text.length)
    index = nextSuspicious(text, index, end, step, looks)
    if (index >= pause) {
      pause = index + stride
      yield
      // What stands here has not been looked at.
      index -= step
      continue
    }
    const here = stepsAt(text, index)
    for (let alignment = 0; alignment < 6; alignment++) {
      if ((here & (1 << alignment)) === 0 || index < (seen[alignment] ?? 0)) continue
      const from = firstOf(text, index, 1 << alignment)
      let to = endOfRun(text, index + 1, 1 << alignment)
      for (let reached = index; to - reached > stride; to = endOfRun(text, reached, 1 << alignment)) {
        reached = to
        yield
      }
      seen[alignment] = to
      if (alignment < 4 ? to - from < digits : to - from < 2 * least) continue
      const decoded = yield* alignment < 4 ? fromBase64(view, from, to, alignment) : fromHex(view, from, to, alignment)
      yield* printable(decoded, least, found)
    }
  }
  return found
}

/**
 * The first of the places `index`, `index + step` and so on with enough characters after it that may be of one text, or
 * one at or behind the end. This is what is done for every long text, so it goes by as little as it can.
 */
const nextSuspicious = (text: string, index: number, end: number, step: number, looks: number): number => {
  let at = index
  for (; at < end; at += step) {
    const steps = quickSteps(text, at) & quickSteps(text, at + 1) & quickSteps(text, at + 2) & quickSteps(text, at + 3)
    if (steps === 0) continue
    if (looks === 4) return at
    const more =
      quickSteps(text, at + 4) & quickSteps(text, at + 5) & quickSteps(text, at + 6) & quickSteps(text, at + 7)
    if ((steps & more) !== 0) return at
  }
  return at
}

/** As {@link stepsAt}, and something or other for what is not ASCII. */
const quickSteps = (text: string, at: number): number =>
  // The table has a value for each index.
  stepsOf[((at & 3) << 7) | (text.charCodeAt(at) & 127)] as number

/**
 * In which steps a character may be part of a printable text: bit `step` for base64 of which a group of four begins where
 * the place is `step` modulo 4, bit `4 + step` for hex of which a pair begins where it is `step` modulo 2.
 */
const stepsAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 128 ? (stepsOf[((at & 3) << 7) | code] ?? 0) : 0
}

/** Where the characters begin that are suspicious as the one at `index` is. */
const firstOf = (text: string, index: number, bit: number): number => {
  let from = index
  while ((stepsAt(text, from - 1) & bit) !== 0) from--
  return from
}

/** Where they end, or a stride further on. */
const endOfRun = (text: string, start: number, bit: number): number => {
  let to = start
  while (to - start <= stride && (stepsAt(text, to) & bit) !== 0) to++
  return to
}

/** Bytes, each with the places of the characters it came from. */
interface Bytes {
  readonly bytes: Uint8Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/** The digits beside those of the text hold some of its bits. */
function* fromBase64(view: View, from: number, to: number, step: number): Steps<Bytes> {
  const decoded = bytesOf(to - from + 2)
  const { bytes, ends, starts } = decoded
  let count = 0
  for (let at = from - 1; at < to; at++) {
    if (at % stride === 0) yield
    const place = (at - step) & 3
    const [left, right] = [sextetOf(view.text.charCodeAt(at)), sextetOf(view.text.charCodeAt(at + 1))]
    if (place === 3 || left < 0 || right < 0) continue
    bytes[count] = (((left << 6) | right) >> (4 - 2 * place)) & 0xff
    starts[count] = startOf(view, at)
    ends[count++] = endOf(view, at + 1)
  }
  return decoded
}

function* fromHex(view: View, from: number, to: number, step: number): Steps<Bytes> {
  const decoded = bytesOf((to - from + 1) >> 1)
  const { bytes, ends, starts } = decoded
  let count = 0
  for (let at = from + ((from ^ step) & 1); at + 1 < to; at += 2) {
    if (at % stride < 2) yield
    bytes[count] = (nibbleOf(view.text.charCodeAt(at)) << 4) | nibbleOf(view.text.charCodeAt(at + 1))
    starts[count] = startOf(view, at)
    ends[count++] = endOf(view, at + 1)
  }
  return decoded
}

const bytesOf = (count: number): Bytes => ({
  bytes: new Uint8Array(count),
  starts: new Int32Array(count),
  ends: new Int32Array(count),
})

/** Adds what can be read of these bytes. */
function* printable({ bytes, ends, starts }: Bytes, least: number, views: Array<View>): Steps<void> {
  for (let start = 0, end = 0; end <= bytes.length; end++) {
    if ((end + 1) % stride === 0) yield
    const byte = bytes[end] ?? 0
    if (byte >= 0x20 && byte < 0x7f) continue
    if (end - start >= least) {
      const text = latin1.decode(bytes.subarray(start, end))
      views.push({ text, places: { starts: starts.subarray(start, end), ends: ends.subarray(start, end) } })
    }
    start = end + 1
  }
}

/** How much of a text is looked at in one step, in characters. */
const stride = 65_536

const latin1 = new TextDecoder("latin1")

const escapes =
  /%([\da-f]{2})|%u([\da-f]{4})|&#0*(\d{1,7});?|&#x0*([\da-f]{1,6});?|&([a-z]{2,8});|\\u([\da-f]{4})|\\u\{0*([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([0-3][0-7]{0,2}|[4-7][0-7]?)|\\(["'\\/])/gi

const meaningOf = (match: RegExpExecArray): string | undefined => {
  const [, percent, wide, decimal, entity, named, unit, point, byte, octal, sign] = match
  if (sign !== undefined) return sign
  if (named !== undefined) return namedEntities.get(named.toLowerCase())
  const hex = percent ?? wide ?? entity ?? unit ?? point ?? byte ?? ""
  const code = decimal === undefined ? parseInt(octal ?? hex, octal === undefined ? 16 : 8) : Number(decimal)
  return code > 0x10ffff ? undefined : String.fromCodePoint(code)
}

/** Those that stand for a sign of ASCII that a key or an escape may hold. */
const namedEntities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    apos: "'",
    ast: "*",
    bsol: "\\",
    colon: ":",
    comma: ",",
    commat: "@",
    dollar: "$",
    equals: "=",
    excl: "!",
    gt: ">",
    hyphen: "-",
    lowbar: "_",
    lt: "<",
    num: "#",
    percnt: "%",
    period: ".",
    plus: "+",
    quest: "?",
    quot: '"',
    semi: ";",
    sol: "/",
    tilde: "~",
    underbar: "_",
    verbar: "|",
  }),
)

const digitsOf = (alphabet: string): Int8Array => {
  const table = new Int8Array(128).fill(-1)
  for (let index = 0; index < alphabet.length; index++) table[alphabet.charCodeAt(index)] = index
  return table
}

const sextets = digitsOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
sextets["-".charCodeAt(0)] = 62
sextets["_".charCodeAt(0)] = 63

const nibbles = digitsOf("0123456789abcdef")
for (let digit = 10; digit < 16; digit++) nibbles["A".charCodeAt(0) + digit - 10] = digit

const sextetOf = (code: number): number => sextets[code] ?? -1
const nibbleOf = (code: number): number => nibbles[code] ?? -1

/** A table of 128 codes for each place modulo 4, for {@link stepsAt}. */
const stepsOf = new Uint8Array(512)
for (let code = 0; code < 128; code++) {
  const sextet = sextetOf(code)
  const nibble = nibbleOf(code)
  // The bits of a printable character that fall into the first, second, third and fourth digit of base64.
  const digit = [sextet >= 8 && sextet < 32, (sextet & 15) >= 2 && (sextet & 15) < 8, (sextet & 3) < 2, true]
  for (let place = 0; place < 4; place++) {
    let steps = 0
    for (let step = 0; step < 4; step++) if (sextet >= 0 && digit[(place - step) & 3] === true) steps |= 1 << step
    for (let step = 0; step < 2; step++)
      if (nibble >= 0 && (((place - step) & 1) === 1 || (nibble >= 2 && nibble <= 7))) steps |= 16 << step
    stepsOf[(place << 7) | code] = steps
  }
}
