/**
 * What the requests of `ledger.rpc` mean, written a second time: viem lays out the storage and names the topics, so
 * neither side of a comparison owes anything to the other.
 */
import type { Json } from "@dotrpc/spec"
import { concat, type Hex, keccak256, numberToHex, pad, stringToHex, toEventSelector } from "viem"
import { accounts, type DeployedLedger, written } from "../src/Ledger.ts"

/** A method and its params, as the node itself is asked. */
export type Question = readonly [method: string, params: Json.Json]

const { alice, bob, carol } = accounts

const logs = (filter: Json.JsonObject): Question => ["eth_getLogs", [filter]]

const receipt = (hash: string): Question => ["eth_getTransactionReceipt", [hash]]

const stored = (address: string, position: string, block = "latest"): Question => [
  "eth_getStorageAt",
  [address, position, block],
]

/** Where Solidity keeps the element of a mapping: the hash of the key and the place of the mapping. */
const elementOf = (mapping: Hex, key: Hex): Hex => keccak256(concat([key, mapping]))

const variable = (slot: number): Hex => numberToHex(slot, { size: 32 })

const event = (signature: string): Hex => toEventSelector(signature)

/** The questions by the names of the requests. */
export const questions: Readonly<Record<string, (ledger: DeployedLedger) => Question>> = {
  everything: ({ address }) => logs({ address, fromBlock: "0x0", toBlock: "0x6" }),
  deposits: ({ address }) =>
    logs({ address, fromBlock: "0x0", toBlock: "latest", topics: [event("Deposited(address,uint256)")] }),
  approvals: ({ address }) =>
    logs({
      address,
      fromBlock: "0x0",
      toBlock: "latest",
      topics: [event("Approved(address,address,uint256)"), pad(alice), pad(bob)],
    }),
  block: () => logs({ fromBlock: "0x5", toBlock: "0x5" }),
  receipt: ({ transactions }) => receipt(transactions.lastDeposit),
  created: ({ transactions }) => receipt(transactions.deploy),
  refused: ({ transactions }) => receipt(transactions.refuse),
  unknown: () => receipt(numberToHex(1, { size: 32 })),
  total: ({ address }) => stored(address, "0x0"),
  balance: ({ address }) => stored(address, elementOf(variable(1), pad(alice))),
  emptyBalance: ({ address }) => stored(address, elementOf(variable(1), pad(alice)), "0x1"),
  lastBalance: ({ address }) => stored(address, elementOf(variable(1), pad(carol))),
  allowance: ({ address }) => stored(address, elementOf(elementOf(variable(2), pad(alice)), pad(bob))),
  mark: ({ address }) => stored(address, elementOf(variable(3), stringToHex(written.mark.name))),
}

/** What the storage requests have to give: the numbers that were written. */
export const storedNumbers: Readonly<Record<string, bigint>> = {
  total: written.balances.alice + written.balances.bob + written.balances.carol,
  balance: written.balances.alice,
  emptyBalance: 0n,
  lastBalance: written.balances.carol,
  allowance: written.allowance,
  mark: written.mark.value,
}
