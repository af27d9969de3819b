import fc from "fast-check"
import { decompress } from "fzstd"
import { expect, it } from "vitest"
import { zstdFrame } from "../src/methods/accounts/zstdFrame.ts"

const check = (size: number) =>
  it(`a frame of ${size} bytes is decoded to the same bytes`, () => {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff)
    expect(Buffer.compare(decompress(zstdFrame(bytes)), bytes)).toBe(0)
  })

for (const size of [0, 1, 82, 165, 255, 256, 257, 65_535, 65_791, 65_792, 131_071, 131_072, 131_073, 400_000])
  check(size)

it("any bytes come back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(decompress(zstdFrame(bytes))).toEqual(bytes)
    }),
  )
})
