/**
 * The text of a file: UTF-8, or UTF-16 with a byte order mark, as spreadsheets and shells of Windows write it. Bytes that
 * are neither are reported with their place, and never replaced: what is read is sent.
 */

/** Bytes that are not text. The words go after the name of their file: `is not in UTF-8`. */
export interface NoText {
  readonly problem: string
}

/**
 * The text, or why the bytes are not text. Its byte order mark is left out, unless what is written back has to have it as well.
 *
 * @example
 * ```ts
 * const text = textOfBytes(Uint8Array.of(0xff, 0xfe, 0x61, 0)) // "a"
 * ```
 */
export const textOfBytes = (bytes: Uint8Array, { keepsMark = false } = {}): string | NoText => {
  const encoding = encodingOf(bytes)
  if (encoding !== "utf-8") return utf16(bytes, encoding, keepsMark)
  // Text has no zero bytes, but in UTF-16 nearly every other byte is one.
  if (bytes.includes(0))
    return { problem: "is not text: it contains zero bytes, as UTF-16 and binary files do; save it as UTF-8" }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark }).decode(bytes)
  } catch {
    const { character, line } = placeOfMisfit(bytes)
    return { problem: `is not in UTF-8 (line ${line}, column ${character}); save it as UTF-8` }
  }
}

/** What the first bytes of a file say about those that follow. */
export const encodingOf = ([first, second]: Uint8Array): "utf-8" | "utf-16be" | "utf-16le" => {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
}

const utf16 = (bytes: Uint8Array, encoding: "utf-16be" | "utf-16le", keepsMark: boolean): string | NoText => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: keepsMark }).decode(bytes)
  } catch {
    return { problem: "begins with the byte order mark of UTF-16 and is not valid UTF-16; save it as UTF-8" }
  }
}

/** Of the first byte that is not UTF-8, from 1. A replacement character may also be one that is written in the file. */
const placeOfMisfit = (bytes: Uint8Array): { readonly line: number; readonly character: number } => {
  const replaced = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  let [line, character, at] = [1, 1, 0]
  for (const char of replaced) {
    const code = char.codePointAt(0) ?? 0
    if (code === 0xfffd && !(bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)) break
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
    character++
    if (char !== "\n") continue
    line++
    character = 1
  }
  return { line, character }
}
