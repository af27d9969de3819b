import * as fc from "fast-check"
import { Hex, Rlp } from "ox"
import { expect, test } from "vitest"
import { rlpEncode, rlpEncodeTyped, rlpInteger } from "../../src/chain/internal/rlp.ts"

/** Nested lists of bytes as hex, some of them long enough for a prefix of several bytes. */
type Nested = Hex.Hex | ReadonlyArray<Nested>

const hex: fc.Arbitrary<Hex.Hex> = fc
  .oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.uint8Array({ minLength: 50, maxLength: 70 }),
    fc.uint8Array({ size: "+1" }),
  )
  .map((bytes) => Hex.fromBytes(bytes))

const nested = fc.letrec<{ item: Nested }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, hex, fc.array(tie("item"), { maxLength: 12 })),
})).item

test("encoding agrees with another implementation", () => {
  fc.assert(
    fc.property(nested, (item) => {
      expect(Hex.fromBytes(rlpEncode(item))).toBe(Rlp.fromHex(copy(item)))
    }),
  )
})

test("bytes encode as the same bytes written in hex", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      expect(rlpEncode([bytes])).toEqual(rlpEncode([Hex.fromBytes(bytes)]))
    }),
  )
})

test("a typed encoding is the type and the encoding", () => {
  expect(Hex.fromBytes(rlpEncodeTyped(2, ["0x01"]))).toBe("0x02c101")
})

test.each([
  [0, "0x"],
  [0n, "0x"],
  [9, "0x09"],
  [255n, "0xff"],
  [256, "0x0100"],
])("the integer %s is written as %s", (value, bytes) => {
  expect(rlpInteger(value)).toBe(bytes)
})

/** The other implementation wants lists that may be changed. */
function copy(item: Nested): Parameters<typeof Rlp.fromHex>[0] {
  return typeof item === "string" ? item : item.map(copy)
}
