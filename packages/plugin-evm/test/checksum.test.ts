import { defineNetwork, type Json } from "@dotrpc/spec"
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

describe("on a chain with checksums of its own", () => {
  // By EIP-1191, which lists addresses of Rootstock and its test network.
  const table: ReadonlyArray<readonly [chainId: number, address: Evm.Address]> = [
    [30, "0x27b1FdB04752BBc536007A920D24ACB045561c26"],
    [30, "0x3599689E6292B81B2D85451025146515070129Bb"],
    [30, "0x52908400098527886E0F7030069857D2E4169ee7"],
    [31, "0x27B1FdB04752BbC536007a920D24acB045561C26"],
    [31, "0x3599689e6292b81b2D85451025146515070129Bb"],
    [31, "0x66f9664F97F2b50f62d13eA064982F936DE76657"],
  ]
  const warned = (address: string, chainId: number | undefined) =>
    Evm.GetLogs.warnings?.([{ address }], defineNetwork({ id: "x", plugin: "evm", chainId })) ?? []

  for (const [chainId, address] of table)
    it(`${address} is right on ${chainId}`, () => {
      expect(Evm.withChecksum(address, chainId)).toBe(address)
      for (const known of [chainId, undefined]) expect(warned(address, known)).toEqual([])
      expect(warned(address, 1)).toMatchObject([{ replaceWith: Evm.withChecksum(address) }])
      expect(Evm.plugin.address?.problem(address, chainId)).toBeUndefined()
      expect(Evm.plugin.address?.problem(address, 1)).toMatch(/expected an address with its checksum/)
    })
  it("the checksum of other chains is right as well", () => expect(warned(right, 30)).toEqual([]))
  it("a wrong one is replaced by that of the chain", () =>
    expect(warned(wrong, 30)).toMatchObject([{ replaceWith: Evm.withChecksum(right, 30) }]))
})
