/** Variables by their names, as Solidity's compiler lays them out, against what contracts wrote on real nodes. */
import { Evm } from "@dotrpc/plugin-evm"
import { type Abi, Json } from "@dotrpc/spec"
import { isDeep } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { createTestClient, http, publicActions, walletActions } from "viem"
import { anvil } from "viem/chains"
import { beforeAll, describe, expect, inject, it } from "vitest"
import { accounts } from "../src/Ledger.ts"
import { type Compiled, compileContract, compileSource } from "../src/Solidity.ts"
import { typedCalls } from "../src/TypedCalls.ts"

const holder = accounts.alice
const storage = Evm.plugin.functions.find(({ name }) => name === "storage")

const abiOf = ({ artifact }: Compiled): Abi => {
  const reading = Evm.plugin.abi?.document(artifact)
  if (reading === undefined || "problem" in reading) throw new Error(`the artifact is not read: ${reading?.problem}`)
  return reading.abi
}

/** Values that `storage` finds, decoded by their types. */
const readers = (node: { readonly name: "anvil" | "hardhat"; readonly url: string }) => {
  const client = createTestClient({ chain: anvil, mode: node.name, transport: http(node.url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const typed = typedCalls({ id: node.name, plugin: "evm", url: node.url })
  const deploy = async ({ abi, bytecode }: Compiled, args: ReadonlyArray<unknown>): Promise<Evm.Hex> => {
    const hash = await client.deployContract({ abi, bytecode, account: holder, args: [...args], gas: 15_000_000n })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    if (contractAddress === null || contractAddress === undefined) throw new Error(`${hash} created no contract`)
    return contractAddress
  }
  const read = async (address: Evm.Hex, abi: Abi, path: ReadonlyArray<Json.Json>): Promise<Json.Json | undefined> => {
    const found = storage?.call(path, { abi }) ?? { problem: "there is no such function" }
    if ("problem" in found) throw new Error(found.problem)
    const position = found.value as Evm.Hex
    const word = await typed(Evm.getStorageAt(address, position))
    const meanings = found.meaning === undefined ? [] : [{ path: [1], meaning: found.meaning }]
    return Evm.GetStorageAt.decode?.(word, { abi, sent: { params: [address, position, "latest"], meanings } })
  }
  return { deploy, read }
}

const packed = compileContract("Packed")
const layout = compileContract("Layout")
const longText = "a text that is longer than the 31 bytes of one slot, by far"
const hexOf = (text: string) => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`

/** A contract, the steps to a value, and what the constructor wrote there; integers of more than 48 bits are bigints. */
const stored: ReadonlyArray<readonly ["Packed" | "Layout", ReadonlyArray<Json.Json>, Json.Json]> = [
  ["Packed", ["open"], true],
  ["Packed", ["tick"], -887272],
  ["Packed", ["owner"], holder.toLowerCase()],
  ["Packed", ["phase"], 2],
  ["Packed", ["id"], "0xa9059cbb"],
  ["Packed", ["price"], 18446744073709551615n],
  ["Packed", ["symbol"], "naïve ☕"],
  ["Packed", ["blob"], "0x00ff"],
  ["Packed", ["long"], { length: 59, slots: 2 }],
  ["Packed", ["long", 0], hexOf(longText.slice(0, 32))],
  ["Packed", ["long", 1], hexOf(longText.slice(32))],
  ["Packed", ["small", 19], 200],
  ["Packed", ["small"], Array.from({ length: 20 }, (_, index) => (index === 19 ? 200 : index === 3 ? 7 : 0))],
  ["Packed", ["flags"], 40n],
  ["Packed", ["flags", 39], true],
  ["Packed", ["flags", 38], false],
  ["Packed", ["positions", 1, "change"], -5n],
  ["Packed", ["positions", 1, "owner"], holder.toLowerCase()],
  ["Packed", ["positions", 1], { amount: 2n ** 100n, change: -5n, open: true }],
  ["Packed", ["votes", holder, "first"], -128],
  ["Packed", ["other"], holder.toLowerCase()],
  ["Packed", ["position", "price"], 3n],
  ["Layout", ["nested", holder, 5], -7n],
  ["Layout", ["orders", `0x${"0".repeat(62)}4d`, "maker"], holder.toLowerCase()],
  ["Layout", ["orders", `0x${"0".repeat(62)}4d`, "filled"], true],
  ["Layout", ["orders", `0x${"0".repeat(62)}4d`, "votes", holder], 33n],
  ["Layout", ["orders", `0x${"0".repeat(62)}4d`, "fills", 4], 5n],
  ["Layout", ["points", 1, "y"], 4n],
  ["Layout", ["points", 1], { x: 3n }],
  ["Layout", ["fixedList", 2], 9n],
  ["Layout", ["lists", holder, 1, "y"], 8n],
  ["Layout", ["halves", 2], 23n],
  ["Layout", ["byText", false, "0x12"], holder.toLowerCase()],
  ["Layout", ["table", 1, 1], 64n],
  ["Layout", ["pair", 1, "y"], 99n],
  ["Layout", ["byBytes", "0x1234", "0xa9059cbb"], 171n],
  ["Layout", ["byInt", -3], 18n],
]

describe.each(inject("nodes"))("the storage of a contract on $name", (node) => {
  const { deploy, read } = readers(node)
  const contracts = {
    Packed: { compiled: packed, address: "0x" as Evm.Hex },
    Layout: { compiled: layout, address: "0x" as Evm.Hex },
  }

  beforeAll(async () => {
    for (const entry of Object.values(contracts)) entry.address = await deploy(entry.compiled, [holder])
  })

  for (const [name, path, value] of stored) {
    it(`has ${name} ${Json.stringify(path)} decoded`, async () => {
      const { address, compiled } = contracts[name]
      expect(await read(address, abiOf(compiled), path)).toEqual(value)
    })
  }
})

/** A type with a value of it, as Solidity writes it and as it is decoded. */
const variable: fc.Arbitrary<{ readonly type: string; readonly written: string; readonly value: Json.Json }> = fc.oneof(
  fc.boolean().map((value) => ({ type: "bool", written: String(value), value })),
  fc.integer({ min: 1, max: 32 }).chain((size) =>
    fc.bigInt({ min: 0n, max: 2n ** BigInt(size * 8) - 1n }).map((value) => ({
      type: `uint${size * 8}`,
      written: String(value),
      value: Json.numberFromText(String(value)),
    })),
  ),
  fc.integer({ min: 1, max: 32 }).chain((size) =>
    fc.bigInt({ min: -(2n ** BigInt(size * 8 - 1)), max: 2n ** BigInt(size * 8 - 1) - 1n }).map((value) => ({
      type: `int${size * 8}`,
      written: String(value),
      value: Json.numberFromText(String(value)),
    })),
  ),
  fc.integer({ min: 1, max: 32 }).chain((size) =>
    fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => {
      const digits = Buffer.from(bytes).toString("hex")
      return { type: `bytes${size}`, written: `hex"${digits}"`, value: `0x${digits}` }
    }),
  ),
  fc.uint8Array({ maxLength: 31 }).map((bytes) => {
    const digits = Buffer.from(bytes).toString("hex")
    return { type: "bytes", written: `hex"${digits}"`, value: `0x${digits}` }
  }),
)

it("every variable of any contract is found and decoded", async () => {
  const [node] = inject("nodes")
  if (node === undefined) throw new Error("there is no node")
  const { deploy, read } = readers(node)
  const contract = fc.array(variable, { minLength: 5, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(contract, async (variables) => {
      const declared = variables.map(({ type }, index) => `${type} private v${index};`).join("\n")
      const members = variables.map(({ type }, index) => `${type} m${index};`).join("\n")
      const set = (prefix: string) =>
        variables.map(({ written }, index) => `${prefix}${index} = ${written};`).join("\n")
      const compiled = compileSource(
        "Any",
        `pragma solidity 0.8.37; contract Any { struct S { ${members} } ${declared} mapping(uint8 => S) private s;
        function plain() private { ${set("v")} } function inside() private { ${set("s[7].m")} } constructor() { plain(); inside(); } }`,
      )
      const address = await deploy(compiled, [])
      const abi = abiOf(compiled)
      for (const [index, { value }] of variables.entries()) {
        expect(await read(address, abi, [`v${index}`])).toEqual(value)
        expect(await read(address, abi, ["s", 7, `m${index}`])).toEqual(value)
      }
    }),
    { numRuns: isDeep ? 6 : 2 },
  )
})
