/**
 * What a person, a terminal or another program may not get to see, looked for in whatever left the product. Nothing here knows
 * how the product cleans its output: a text is decoded in every way until nothing new comes of it.
 */

/**
 * Characters that steer a terminal, make text look like something else than it is, or are not seen, so that a key between
 * whose characters they stand looks whole. Tabs and line ends are fine.
 */
const steering =
  // oxlint-disable-next-line no-control-regex -- They are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

/** What steers in a text, each with what stands around it. */
export const steeringIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(steering, "gu"))]
    .slice(0, 5)
    .map(
      ({ 0: character, index }) =>
        `U+${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")} in ${around(text, index)}`,
    )

/** What a service that keeps a log takes for a command: at the beginning of a line, or anywhere in it. */
export const commandsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^[^\S\n]*::|##[\w.-]*\[/gm)].slice(0, 5).map(({ index }) => `a command in ${around(text, index)}`)

const around = (text: string, index: number): string => JSON.stringify(text.slice(Math.max(0, index - 40), index + 40))

/** As many characters of a key in a row give it away. */
const revealing = 12

/** Where a text shows a key, or a large part of one, in whatever encoding: the way to it, or nothing. */
export const keyIn = (text: string, key: string): string | undefined => {
  const sought = key.toLowerCase()
  const number = /^[0-9a-f]+$/i.test(key) ? BigInt(`0x${key}`).toString() : undefined
  const look = (text: string, depth: number, way: string): string | undefined => {
    const at = partIn(text.toLowerCase(), sought)
    if (at !== undefined) return `${way}: …${JSON.stringify(text.slice(Math.max(0, at - 30), at + 50))}…`
    if (number !== undefined && text.includes(number)) return `${way}, as a number`
    if (depth === 0) return undefined
    for (const [name, decode] of Object.entries(decodings))
      for (const decoded of decode(text)) {
        const found = look(decoded, depth - 1, `${way} > ${name}`)
        if (found !== undefined) return found
      }
    return undefined
  }
  // Each further decoding takes several times as long; nobody nests as deeply in a long text.
  return (
    look(text.replaceAll(/\s+/g, " "), text.length > 100_000 ? 2 : 3, "text") ??
    look(text.replaceAll(/\s+/g, ""), 1, "joined")
  )
}

/** Where so many characters of the key stand in a row. Each such row holds a whole piece of half the length. */
const partIn = (text: string, key: string): number | undefined => {
  const half = revealing / 2
  for (let piece = 0; piece + half <= key.length; piece += half) {
    for (
      let at = text.indexOf(key.slice(piece, piece + half));
      at >= 0;
      at = text.indexOf(key.slice(piece, piece + half), at + 1)
    ) {
      let [from, to] = [0, half]
      while (from < piece && text[at - from - 1] === key[piece - from - 1]) from += 1
      while (piece + to < key.length && text[at + to] === key[piece + to]) to += 1
      if (from + to >= revealing) return at - from
    }
  }
  return undefined
}

const decodings: Readonly<Record<string, (text: string) => ReadonlyArray<string>>> = {
  percent: (text) =>
    changed(
      text,
      text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits) => character(digits, 16)),
    ),
  escapes: (text) =>
    changed(
      text,
      text.replaceAll(/\\+u([0-9a-f]{4})|\\+x([0-9a-f]{2})/gi, (_, long, short) => character(long ?? short, 16)),
    ),
  entities: (text) =>
    changed(
      text,
      text.replaceAll(/&(?:amp;)?#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex, decimal) =>
        hex === undefined ? character(decimal, 10) : character(hex, 16),
      ),
    ),
  hex: (text) => decodedRuns(text.match(/[0-9a-f]{24,100000}/gi), [0, 1], "hex"),
  base64: (text) => decodedRuns(text.match(/[\w+/-]{16,100000}/g), [0, 1, 2, 3], "base64"),
}

/** Runs may begin anywhere in what was encoded. */
const decodedRuns = (runs: ReadonlyArray<string> | null, skips: ReadonlyArray<number>, encoding: "hex" | "base64") =>
  runs === null
    ? []
    : skips.map((skip) => runs.map((run) => Buffer.from(run.slice(skip), encoding).toString("latin1")).join("\n"))

const changed = (before: string, after: string): ReadonlyArray<string> => (before === after ? [] : [after])

const character = (digits: string, radix: number): string => {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : "?"
}
