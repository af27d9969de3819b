/** Positions and declarations of plugin-evm against what Solidity's compiler made of a contract, on both nodes. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { createTestClient, decodeEventLog, http, publicActions, walletActions } from "viem"
import { anvil } from "viem/chains"
import { beforeAll, describe, expect, inject, it } from "vitest"
import { accounts } from "../src/Ledger.ts"
import { compileContract } from "../src/Solidity.ts"
import { typedCalls } from "../src/TypedCalls.ts"

const holder = accounts.alice
const contract = compileContract("Layout")

const bytes = (value: Evm.Hex): Evm.TypedKey => ({ type: "bytes", value })
const bytes4 = (value: Evm.Hex): Evm.TypedKey => ({ type: "bytes4", value })

/** Each position, and what the constructor wrote there. */
const stored: ReadonlyArray<readonly [what: string, position: Evm.Hex, value: bigint]> = [
  ["plain", Evm.slot(0), 11n],
  ["nested[holder][5]", Evm.slot(1, holder, 5), 2n ** 256n - 7n],
  ["orders[77].price", Evm.slot(2, 77), 2n ** 200n + 1n],
  ["orders[77].maker and filled", Evm.field(Evm.slot(2, 77), 1), (1n << 160n) | BigInt(holder)],
  ["orders[77].votes[holder]", Evm.slot(Evm.field(Evm.slot(2, 77), 2), holder), 33n],
  ["orders[77].fills.length", Evm.field(Evm.slot(2, 77), 3), 5n],
  ["orders[77].fills[4]", Evm.element(Evm.field(Evm.slot(2, 77), 3), 4n / 4n), 5n],
  ["list.length", Evm.slot(3), 2n],
  ["list[1]", Evm.element(3, 1), 101n],
  ["points[1].x", Evm.element(4, 1, 2), 3n],
  ["points[1].y", Evm.field(Evm.element(4, 1, 2), 1), 4n],
  ["fixedList[2]", Evm.field(5, 2), 9n],
  ["lists[holder][1].y", Evm.field(Evm.element(Evm.slot(8, holder), 1, 2), 1), 8n],
  ["halves[0] and halves[1]", Evm.element(9, 0), (22n << 128n) | 21n],
  ["halves[2]", Evm.element(9, 2n / 2n), 23n],
  ["text.length", Evm.slot(10), 51n * 2n + 1n],
  [
    "text, first 32 bytes",
    Evm.element(10, 0),
    BigInt(`0x${Buffer.from("a text that is longer than the 3").toString("hex")}`),
  ],
  ['byText[true]["key"]', Evm.slot(11, true, "key"), BigInt(holder)],
  ['byText[false]["0x12"]', Evm.slot(11, false, { type: "string", value: "0x12" }), BigInt(holder)],
  ['byBytes[hex"1234"][0xa9059cbb]', Evm.slot(17, bytes("0x1234"), bytes4("0xa9059cbb")), 171n],
  [
    "byBytes[34 bytes][0x00000001]",
    Evm.slot(17, bytes(`0x${"00112233445566778899aabbccddeeff".repeat(2)}0011`), bytes4("0x00000001")),
    172n,
  ],
  ['byBytes[""][0xffffffff]', Evm.slot(17, bytes("0x"), bytes4("0xffffffff")), 173n],
  ["byInt[-3]", Evm.slot(18, { type: "int8", value: -3 }), 18n],
  ["table[1].length", Evm.element(12, 1), 2n],
  ["table[1][1]", Evm.element(Evm.element(12, 1), 1), 64n],
  ["pair[1].y", Evm.field(13, 1 * 2 + 1), 99n],
  ["the implementation of EIP-1967", Evm.slot("eip1967.implementation"), BigInt(holder)],
]

describe.each(inject("nodes"))("a contract on $name", ({ name, url }) => {
  const client = createTestClient({ chain: anvil, mode: name, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const typed = typedCalls({ id: name, plugin: "evm", url })
  let address: Evm.Hex
  let receipt: typeof Evm.Receipt.Type

  beforeAll(async () => {
    const { abi, bytecode } = contract
    const hash = await client.deployContract({ abi, bytecode, account: holder, args: [holder], gas: 15_000_000n })
    await client.waitForTransactionReceipt({ hash })
    const found = await typed(Evm.getTransactionReceipt(hash))
    if (!found?.contractAddress) throw new Error(`${hash} created no contract`)
    receipt = found
    address = found.contractAddress
  })

  it.each(stored)("has %s where the plugin looks for it", async (_, position, value) => {
    expect(Evm.quantity(await typed(Evm.getStorageAt(address, position)))).toBe(value)
  })

  it("emits logs that the plugin and viem decode alike, by the ABI that the compiler wrote", () => {
    // What the compiler wrote is JSON.
    const abi = Evm.plugin.abi?.document(Json.parse(JSON.stringify(contract.abi)))
    if (abi === undefined || "problem" in abi) throw new Error(`the ABI is not read: ${abi?.problem}`)
    const ours = receipt.logs.map((log) => Evm.decodeLog(log, abi.abi))
    expect(ours.map((log) => log?.event)).toEqual(["Pinged", "Plain", "Hashed", "Nested", "Plain", "Secret"])
    const named = receipt.logs.slice(0, -1)
    for (const [index, { data, topics }] of named.entries()) {
      const theirs = decodeEventLog({ abi: contract.abi, data, topics: [...topics] as [Evm.Hex] })
      expect([ours[index]?.event, plain(ours[index]?.args)]).toEqual([theirs.eventName, plain(theirs.args ?? {})])
    }
    // viem gives up on anonymous events.
    expect(ours.at(-1)?.args).toEqual({ id: 5n, text: "hidden" })
  })
})

/** Without the differences in spelling: both sides' integers as text, and all text in lower case. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === "bigint" || typeof member === "number" ? `${member}` : member,
    ).toLowerCase(),
  )
