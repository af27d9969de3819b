/** Files of other programs: read as they are written, or refused with the place that is not text. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { textOfBytes } from "../src/index.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new DataView(new ArrayBuffer(2 * text.length))
  for (let at = 0; at < text.length; at++) bytes.setUint16(2 * at, text.charCodeAt(at), isLittle)
  return new Uint8Array(bytes.buffer)
}
const joined = (...parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(parts.flatMap((part) => [...part]))

const check = (name: string, bytes: Uint8Array, expected: string | { readonly problem: string }) =>
  it(`reads ${name}`, () => {
    expect(textOfBytes(bytes)).toEqual(expected)
  })
check("UTF-8", utf8("a,é,😀\n"), "a,é,😀\n")
check("UTF-8 with a byte order mark", utf8("\uFEFFa"), "a")
check("a second byte order mark, which is written", utf8("\uFEFF\uFEFFa"), "\uFEFFa")
check("a replacement character that is written", utf8("a\uFFFD"), "a\uFFFD")
check("UTF-16 of a spreadsheet", utf16("\uFEFFé\t😀\r\n", true), "é\t😀\r\n")
check("UTF-16 with its other order", utf16("\uFEFFé\t😀\r\n", false), "é\t😀\r\n")
check("no UTF-16 with half a character", joined(utf16("\uFEFFa", true), Uint8Array.of(0)), {
  problem: "begins with the byte order mark of UTF-16 and is not valid UTF-16; save it as UTF-8",
})
check("no UTF-16 without a byte order mark", utf16("ab", true), {
  problem: "is not text: it contains zero bytes, as UTF-16 and binary files do; save it as UTF-8",
})
check("no Latin-1", joined(utf8("\uFEFFa,b\r\né\uFFFD,x"), Uint8Array.of(0xe9, 0x2c)), {
  problem: "is not in UTF-8 (line 2, column 5); save it as UTF-8",
})
check("nothing that is cut off in a character", utf8("a\n€").slice(0, -1), {
  problem: "is not in UTF-8 (line 2, column 1); save it as UTF-8",
})

it("law: what is not refused is the text itself", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const text = textOfBytes(bytes, { keepsMark: true })
      if (typeof text !== "string" || (bytes[0] ?? 0) >= 0xfe) return
      expect([...utf8(text)]).toEqual([...bytes])
      expect(textOfBytes(bytes)).toBe(text.replace(/^\uFEFF/, ""))
    }),
  )
})
