import type { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { getAddress } from "viem"
import fc from "fast-check"
import { Evm } from "../src/index.ts"

const right = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
const wrong = "0x5FbDB2315678afecb367f032d93F642f64180aA3"

it("gives every address the checksum that viem gives it", () =>
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const address = `0x${Buffer.from(bytes).toString("hex")}` as const
      expect(Evm.withChecksum(address)).toBe(getAddress(address))
    }),
  ))

describe("warns about", () => {
  const check = (title: string, params: Json.Json, expected: ReadonlyArray<ReadonlyArray<string | number>>) =>
    it(title, () => {
      const warnings = Evm.GetLogs.warnings?.(params) ?? []
      expect(warnings.map(({ path }) => path)).toEqual(expected)
      for (const { replaceWith } of warnings) expect(replaceWith).toBe(right)
    })
  check("a wrong checksum", [wrong, "latest"], [[0]])
  check("one in a list of a member", [{ address: [right, wrong] }], [[0, "address", 1]])
  check("no right checksum", [right, "latest"], [])
  check("no lower case", [right.toLowerCase()], [])
  check("no upper case", [`0x${right.slice(2).toUpperCase()}`], [])
  check("nothing that is not an address", ["0xAb", null, 5, {}], [])
})
