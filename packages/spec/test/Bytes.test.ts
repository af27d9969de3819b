import { describe, expect, it } from "vitest"
import { showBytes } from "../src/index.ts"

const check = (bytes: number, expected: string) =>
  it(`${bytes} bytes are shown as ${expected}`, () => expect(showBytes(bytes)).toBe(expected))

describe("an amount of bytes has a unit", () => {
  check(0, "0 bytes")
  check(1, "1 byte")
  check(1_023, "1023 bytes")
  check(1_024, "1 KiB")
  check(10_000, "9.8 KiB")
  check(67_108_864, "64 MiB")
  check(500_000_000, "476.8 MiB")
})
