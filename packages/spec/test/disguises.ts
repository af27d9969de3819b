/** Ways in which a server may say a key back, and a search of its own for what was said. */
import fc from "fast-check"

/** One encoding, with choices that `seed` makes for each character. */
export type Disguise = (text: string, seed: number) => string

const hexOf = (text: string) => Buffer.from(text).toString("hex")

const eachByte = (text: string, of: (byte: number, index: number) => string) => [...Buffer.from(text)].map(of).join("")

const chosen = (seed: number, index: number) => ((seed >>> 1) + index * 7) % 3

const otherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()))

export const disguises: Readonly<Record<string, Disguise>> = {
  plain: (text) => text,
  percent: (text, seed) =>
    eachByte(text, (byte, index) => {
      const sign = String.fromCharCode(byte)
      if (chosen(seed, index) === 0 && /[\w.-]/.test(sign)) return sign
      const hex = byte.toString(16).padStart(2, "0")
      return `%${chosen(seed, index) === 1 ? hex : hex.toUpperCase()}`
    }),
  "twice percent": (text) => encodeURIComponent(encodeURIComponent(text)),
  entities: (text, seed) =>
    [...text]
      .map((sign, index) => {
        const code = sign.codePointAt(0) ?? 0
        const zeros = "0".repeat(seed % 5)
        const kind = chosen(seed, index)
        if (kind === 0 && !/[&<>"']/.test(sign)) return sign
        return kind === 1 ? `&#${zeros}${code};` : `&#x${zeros}${code.toString(16)};`
      })
      .join(""),
  escapes: (text, seed) =>
    [...text]
      .map((sign, index) => {
        const code = sign.charCodeAt(0)
        const kind = chosen(seed, index)
        if (kind === 0 && !/["'\\/]/.test(sign)) return sign
        return kind === 1 && code < 256
          ? String.raw`\x` + code.toString(16).padStart(2, "0")
          : String.raw`\u` + code.toString(16).padStart(4, "0")
      })
      .join(""),
  octal: (text) => eachByte(text, (byte) => `\\${byte.toString(8)}`),
  hex: (text, seed) => (seed % 2 === 0 ? hexOf(text) : `0x${hexOf(text).toUpperCase()}`),
  base64: (text, seed) => Buffer.from("x".repeat(seed % 3) + text + "yy".slice(seed % 3)).toString("base64"),
  base64url: (text, seed) => Buffer.from("?".repeat(seed % 3) + text).toString("base64url"),
}

/** Plain disguises change none of what they hide but its case. */
export const recased: Disguise = (text, seed) =>
  [text, text.toUpperCase(), text.toLowerCase(), otherCase(text)][seed % 4] ?? text

/** A text that says `key` in up to `depth` disguises, one within the other. */
export const disguised = (key: string, depth: number): fc.Arbitrary<{ readonly how: string; readonly text: string }> =>
  fc
    .tuple(
      fc.nat(99),
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(disguises)), fc.nat(99)), { minLength: 1, maxLength: depth }),
    )
    .map(([seed, steps]) => ({
      how: steps.map(([name]) => name).join(" in "),
      text: steps.reduce((text, [name, own]) => disguises[name]?.(text, own) ?? text, recased(key, seed)),
    }))

/** Decodes all that can be decoded, every which way, and says where `key` came to light. */
export const revealed = (text: string, key: string, depth = 4): string | undefined => {
  if (text.toLowerCase().includes(key.toLowerCase())) return text
  if (depth === 0) return undefined
  const inner = new Set<string>()
  const tryOn = (pattern: RegExp, of: (match: string) => string) => inner.add(text.replace(pattern, of))
  tryOn(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString())
  tryOn(/&#(?:x[\da-f]+|\d+);?/gi, (entity) => {
    const digits = entity.replace(/[&#;]/g, "")
    const code = /^x/i.test(digits) ? parseInt(digits.slice(1), 16) : Number(digits)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
  tryOn(/\\([0-3][0-7]{0,2}|[4-7][0-7]?)/g, (escape) => String.fromCharCode(parseInt(escape.slice(1), 8)))
  tryOn(/\\u[\da-f]{4}|\\x[\da-f]{2}/gi, (escape) => String.fromCharCode(parseInt(escape.slice(2), 16)))
  tryOn(/\\(["\\/])/g, (escape) => escape.slice(1))
  for (const [run] of text.matchAll(/[\w+/-]{10,}/g)) {
    for (let phase = 0; phase < 4; phase++) inner.add(Buffer.from(run.slice(phase), "base64").toString("latin1"))
    for (const [digits] of run.matchAll(/[\da-f]{16,}/gi))
      for (let phase = 0; phase < 2; phase++) inner.add(Buffer.from(digits.slice(phase), "hex").toString("latin1"))
  }
  inner.delete(text)
  for (const one of inner) if (revealed(one, key, depth - 1) !== undefined) return text
  return undefined
}
