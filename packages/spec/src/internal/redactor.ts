/**
 * Finds secrets in text and in JSON, plain or in disguise: in any case, percent-encoded, as HTML entities, with escapes of
 * JavaScript, in base64 or hex, as a number, broken up by characters that hardly show, and in one of these within another.
 *
 * Invariant: `mayHold(text)` is true wherever a secret is found, in a string of JSON that is part of the text as well.
 */
import { isArray, isObject, type Json, JsonNumber } from "../Json.ts"
import { atOnce, type Steps } from "../Steps.ts"
import { condensed, endOf, hasEscapes, hasSeparators, hiddenTexts, startOf, unescaped, type View } from "./disguises.ts"

/** The mask that replaces a secret. */
export const mask = "•••"

export interface Redactor {
  /** Whether a text, or the value that a text of JSON is of, may hold a secret. It takes far less time than to look. */
  readonly mayHold: (text: string) => Steps<boolean>
  /** As `mayHold`, of a text that comes in pieces. */
  readonly watch: () => Watch
  readonly scrub: (text: string) => string
  /** The same value where it holds no secret, in steps that each take a few milliseconds. A number that is one becomes a text. */
  readonly scrubbingJson: (value: Json) => Steps<Json>
}

/** Looks for secrets in a text that arrives in pieces. */
export interface Watch {
  /** Takes the next piece. */
  readonly add: (piece: string) => void
  /** Whether the text so far may hold a secret. */
  readonly mayHold: () => boolean
}

/** Shorter ones would mask ordinary words. */
const shortest = 4

/** Shorter ones would be found by chance in what was never a text, such as a hash. */
const shortestEncoded = 8

/** How many encodings may lie within each other. */
const layers = 5

/**
 * How many characters are looked at for each one of a text; from where more can be made of it, it is masked. Of a long text
 * fewer: only one that is made to keep us busy has as much encoded in it as it is long.
 */
const effortFor = (text: string): number => (text.length > 1_048_576 ? leastEffort : 24)
const leastEffort = 2

/** A long text is searched in parts, so that a search takes little memory; each has the beginning of the next one. */
const part = 131_072

/** How many characters the longest of these takes in the longest form that it is found in: each of its own may be escaped. */
export const longestDisguise = (secrets: ReadonlyArray<string>): number =>
  secrets.reduce((longest, { length }) => Math.max(longest, 12 * length), 16_384)

export const makeRedactor = (secrets: ReadonlyArray<string>): Redactor => {
  const sought = soughtFor(secrets)
  return {
    mayHold: (text) => mayHold(text, sought),
    watch: () => watching(sought),
    scrub: (text) => scrub(text, sought),
    scrubbingJson: (value) => scrubbingJson(value, sought, { members: 0 }),
  }
}

interface Sought {
  /** In lower case, all of them. */
  readonly plain: ReadonlyArray<string>
  /** Of forms that hold one another, those that say whether any of them is there; without numbers. */
  readonly telling: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<string>
  /** Those that are looked for in base64 and hex as well. */
  readonly encoded: ReadonlyArray<string>
  /** The length of the shortest of those. */
  readonly least: number
  /** How many characters one of them may take. */
  readonly longest: number
  readonly longestForm: number
  /** No disguise is shorter than what it hides. */
  readonly shortestForm: number
}

const soughtFor = (secrets: ReadonlyArray<string>): Sought => {
  const forms = [
    ...new Set(
      secrets.flatMap((secret) => [
        ...formsOf(secret),
        ...digitsOf(secret),
        ...bytesNumberOf(secret),
        ...bytesOf(secret),
      ]),
    ),
  ]
  const numbers = secrets.flatMap(numberOf)
  const long = forms.filter((form) => form.length >= shortestEncoded)
  const lengths = [...forms, ...numbers].map((form) => form.length)
  return {
    plain: [...forms, ...numbers],
    telling: forms.filter((form) => !forms.some((other) => other !== form && form.includes(other))),
    numbers,
    encoded: [...long, ...numbers],
    least: Math.min(...long.map((form) => form.length)),
    longest: longestDisguise(secrets),
    longestForm: Math.max(...lengths),
    shortestForm: Math.min(...lengths),
  }
}

function* mayHold(text: string, sought: Sought, effort = effortFor(text)): Steps<boolean> {
  const { encoded, longestForm, numbers, plain, telling } = sought
  if (plain.length === 0) return false
  if (hasEscapes(text)) return true
  if (hasSeparators(text) && encoded.length > 0 && (yield* isBrokenUp(text, sought, effort))) return true
  for (let start = 0; start < text.length; start += stride) {
    // What stands across the end of this part is whole in it as well.
    const lower = lowerCase(text.slice(start, start + stride + longestForm))
    if (telling.some((form) => lower.includes(form)) || numbers.some((digits) => lower.includes(digits))) return true
    if (text.length > stride) yield
  }
  return (numbers.length > 0 && (yield* hasOtherNumbers(text))) || (yield* findsHidden(text, sought, effort))
}

const watching = (sought: Sought): Watch => {
  let held = false
  /** What has not been looked at, and before it as much as a secret may take that ends in it. */
  let unseen = ""
  let isUnseen = false
  const look = () => {
    held ||= atOnce(mayHold(unseen, sought, leastEffort))
    unseen = unseen.slice(-sought.longest)
    isUnseen = false
  }
  return {
    add: (piece) => {
      if (held || sought.plain.length === 0) return
      unseen += piece
      isUnseen = true
      if (unseen.length >= part) look()
    },
    mayHold: () => {
      if (isUnseen && !held) look()
      return held
    },
  }
}

function* scrubbing(text: string, sought: Sought): Steps<string> {
  if (text.length < sought.shortestForm || !(yield* mayHold(text, sought))) return text
  return yield* masking(text, yield* finding(text, sought))
}

const scrub = (text: string, sought: Sought): string =>
  text.length < sought.shortestForm ? text : atOnce(scrubbing(text, sought))

function* scrubbingJson(value: Json, sought: Sought, seen: Seen): Steps<Json> {
  if (sought.plain.length === 0) return value
  if (typeof value === "string" && value.length > stride) return yield* scrubbing(value, sought)
  if (isArray(value)) {
    let clean: Array<Json> | undefined
    for (let index = 0; index < value.length; index++) {
      const member = value[index] as Json
      const scrubbed = isSmall(member) ? scrubLeaf(member, sought) : yield* scrubbingJson(member, sought, seen)
      if (scrubbed !== member) (clean ??= [...value])[index] = scrubbed
      if (isStep(seen, member)) yield
    }
    return clean ?? value
  }
  if (!isObject(value)) return scrubLeaf(value, sought)
  let isClean = true
  const members: Array<readonly [string, Json]> = []
  for (const [name, member] of Object.entries(value)) {
    const scrubbed = [
      yield* scrubbing(name, sought),
      isSmall(member) ? scrubLeaf(member, sought) : yield* scrubbingJson(member, sought, seen),
    ] as const
    isClean &&= scrubbed[0] === name && scrubbed[1] === member
    members.push(scrubbed)
    if (isStep(seen, member)) yield
  }
  return isClean ? value : withOwnNames(members)
}

/** A value that has no others in it. */
const scrubLeaf = (value: Json, sought: Sought): Json => {
  if (typeof value === "string") return scrub(value, sought)
  if (typeof value !== "number" && typeof value !== "bigint" && !(value instanceof JsonNumber)) return value
  const text = String(value)
  return sought.numbers.some((digits) => text.includes(digits) || isSameNumber(text, digits)) ||
    (text.length >= shortest && sought.plain.some((form) => text.includes(form)))
    ? mask
    : value
}

/** An object of these members. Names that are masked alike are numbered, so that none of the members is lost. */
const withOwnNames = (members: ReadonlyArray<readonly [string, Json]>): Json => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return Object.fromEntries(
    members.map(([name, member]) => {
      let own = name
      for (let count = counts.get(name) ?? 1; taken.has(own); counts.set(name, count)) own = `${name} (${++count})`
      taken.add(own)
      return [own, member]
    }),
  )
}

/** How much text is looked at in one step, in characters. */
const stride = 65_536

/** How many members. */
const few = 64

/** Members of a whole value, at any depth, that were looked at. */
interface Seen {
  members: number
}

/** A step costs more the deeper it is taken, so members are counted over all levels, and not each container for itself. */
const isStep = (seen: Seen, member: Json): boolean => ++seen.members % few === 0 || isLongString(member)

const isLongString = (value: Json): boolean => typeof value === "string" && !isSmall(value)

const isSmall = (value: Json): boolean =>
  typeof value === "string" ? value.length < 1_024 : typeof value !== "object" || value === null

type Range = readonly [start: number, end: number]

/** Where the secrets stand, and what is too much to decode. */
function* finding(text: string, sought: Sought): Steps<ReadonlyArray<Range>> {
  const found: Array<Range> = []
  const effort = effortFor(text)
  for (const { start, source } of partsOf(text, sought.longest)) {
    const search = makeSearch(sought, effort * (source.length + 64), (from, to) => {
      found.push([start + from, start + to])
    })
    if (yield* search({ text: source, places: undefined }, layers, sought.plain)) continue
    // Made to keep us busy: nobody needs to read the rest of it.
    found.push([start, text.length])
    break
  }
  return found
}

/** Whether what is encoded in this text holds a secret, or is too much to say. */
function* findsHidden(text: string, sought: Sought, effort: number): Steps<boolean> {
  if (sought.encoded.length === 0) return false
  for (const { source } of partsOf(text, sought.longest)) {
    let found = false
    const search = makeSearch(sought, effort * (source.length + 64), () => void (found = true))
    for (const hidden of yield* hiddenTexts({ text: source, places: undefined }, sought.least))
      if (!(yield* search(hidden, layers - 1, sought.encoded)) || found) return true
  }
  return false
}

/** Whether a secret stands in this text once the characters that hardly show are taken out. */
function* isBrokenUp(text: string, sought: Sought, effort: number): Steps<boolean> {
  for (const { source } of partsOf(text, sought.longest)) {
    const bare = yield* condensed({ text: source, places: undefined })
    if (bare === undefined) continue
    const lower = lowerCase(bare.text)
    if (sought.encoded.some((form) => lower.includes(form)) || (yield* findsHidden(bare.text, sought, effort)))
      return true
  }
  return false
}

const partsOf = (text: string, overlap: number): ReadonlyArray<{ readonly start: number; readonly source: string }> => {
  if (text.length <= part + overlap) return [{ start: 0, source: text }]
  return Array.from({ length: Math.ceil((text.length - overlap) / part) }, (_, index) => ({
    start: index * part,
    source: text.slice(index * part, (index + 1) * part + overlap),
  }))
}

/** A search that gives every place it finds to `onFound`, and `false` when it was more than `effort` characters. */
const makeSearch = ({ encoded, least }: Sought, effort: number, onFound: (start: number, end: number) => void) => {
  let left = effort
  const longest = (forms: ReadonlyArray<string>) => Math.max(...forms.map((form) => form.length))
  return function* search(view: View, depth: number, forms: ReadonlyArray<string>): Steps<boolean> {
    const { text } = view
    left -= text.length
    if (left < 0) return false
    for (let start = 0; start < text.length; start += stride) {
      const lower = lowerCase(text.slice(start, start + stride + longest(forms) - 1))
      for (const form of forms)
        for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + 1))
          onFound(startOf(view, start + at), endOf(view, start + at + form.length - 1))
      yield
    }
    if (depth === 0) return true
    const inner = yield* unescaped(view)
    if (inner !== undefined && !(yield* search(inner, depth - 1, forms))) return false
    if (encoded.length === 0) return true
    const bare = yield* condensed(view)
    if (bare !== undefined && !(yield* search(bare, depth - 1, encoded))) return false
    for (const hidden of yield* hiddenTexts(view, least)) if (!(yield* search(hidden, depth - 1, encoded))) return false
    return true
  }
}

function* masking(text: string, found: ReadonlyArray<Range>): Steps<string> {
  const pieces: Array<string> = []
  let end = 0
  for (const [index, range] of found.toSorted(([left], [right]) => left - right).entries()) {
    if (index % stride === stride - 1) yield
    if (range[1] <= end) continue
    // What overlaps is one place.
    if (range[0] >= end) pieces.push(text.slice(end, range[0]), mask)
    end = range[1]
  }
  return pieces.join("") + text.slice(end)
}

/** The secret itself, as bytes of UTF-8, and without the escapes it has of its own: those fall away with the others. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  if (secret.length < shortest) return []
  let bare: View = { text: secret, places: undefined }
  for (let depth = layers; depth > 0; depth--) bare = atOnce(unescaped(bare)) ?? bare
  const asBytes = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("")
  const whole = [secret, bare.text, asBytes(secret), asBytes(bare.text)]
  return [...whole, ...whole.map((form) => (atOnce(condensed({ text: form, places: undefined })) ?? bare).text)]
    .map(lowerCase)
    .filter((form) => form.length >= shortest)
}

/** The number that a key of hex digits is; one of decimal digits is its own text. */
const numberOf = (secret: string): ReadonlyArray<string> => {
  const hex = hexOf(secret)
  if (/^\d{8,}$/.test(secret)) return [withoutZeros(secret)].filter((text) => text.length >= shortestEncoded)
  return hex === undefined ? [] : [BigInt(`0x${hex}`).toString()].filter((text) => text.length >= shortestEncoded)
}

/** A key as a quantity in hex, as in any padding of it: its digits without those that say nothing, `0x` included. */
const digitsOf = (secret: string): ReadonlyArray<string> => {
  // A longer number takes longer to convert than anyone would write it.
  const isDecimal = secret.length <= 512 && /^\d+$/.test(secret)
  return [hexOf(secret) ?? "", isDecimal ? BigInt(secret).toString(16) : ""]
    .map(withoutZeros)
    .filter((digits) => digits.length >= shortestEncoded)
}

/** The hex digits that a key consists of, as a UUID does as well. */
const hexOf = (secret: string): string | undefined =>
  /^(?:0x)?([\da-f]{8,})$/.exec(lowerCase(secret).replaceAll("-", ""))?.[1]

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=.)/, "")

/** The number that the bytes of a key are, its first one the highest. */
const bytesNumberOf = (secret: string): ReadonlyArray<string> => {
  const bytes = new TextEncoder().encode(secret)
  // A longer one takes longer to convert than anyone would write it.
  if (bytes.length < shortestEncoded || bytes.length > 512) return []
  return [bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n).toString()]
}

/** The bytes that a key of hex digits stands for, in base64, behind any number of other bytes. */
const bytesOf = (secret: string): ReadonlyArray<string> => {
  const hex = secret.replace(/^0x/i, "").replaceAll("-", "")
  if (!/^(?:[\da-f]{2}){6,256}$/i.test(hex)) return []
  const bytes = (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16))
  const forms = [0, 1, 2].flatMap((before) => {
    const text = btoa(String.fromCharCode(...[0, 0].slice(0, before), ...bytes)).replaceAll("=", "")
    // The digits at either end hold bits of what stands there, and the last one none when nothing does.
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)]
    return [text.slice(start, end), text.slice(start)]
  })
  return forms
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")])
    .map(lowerCase)
    .filter((form) => form.length >= shortestEncoded)
}

/** Whether a number that is written with a point or an exponent is this integer. */
const isSameNumber = (text: string, digits: string): boolean => {
  const [, whole, part = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (whole === undefined) return false
  const all = (whole + part).replace(/^0+/, "")
  let length = all.length
  while (all[length - 1] === "0") length--
  const scale = digits.length - length
  return (
    scale >= 0 &&
    digits === all.slice(0, length) + "0".repeat(scale) &&
    Number(exponent) - part.length + all.length - length === scale
  )
}

/** Whether a text of JSON has a number that is written otherwise than by its digits. */
function* hasOtherNumbers(text: string): Steps<boolean> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + stride
    // A part does not end within a number, nor between one and what stands before it.
    while (end < text.length && ofNumber.test(text.charAt(end))) {
      end++
      if (end % stride === 0) yield
    }
    if (pointOrExponent.test(text.slice(start, end + 1))) return true
    if (text.length > stride) yield
  }
  return false
}

const pointOrExponent = /[:,[]\s*-?\d+[.e]/i

const ofNumber = /[\s\d-]/

/** In lower case and of the same length, which some letters outside ASCII do not keep. */
const lowerCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
