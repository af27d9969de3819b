import { defineNetwork, type Json, type Method, recognised, type RpcReason, wireName } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const network = defineNetwork({ id: "l2", plugin: "l2-events", methodWord: "starknet" })

it("every method has the network's word on the wire", () => {
  expect(L2Events.plugin.methods).toHaveLength(18)
  for (const method of L2Events.plugin.methods) {
    expect(method.name).toMatch(/^l2_/)
    expect(wireName(method, network)).toBe(method.name.replace("l2_", "starknet_"))
  }
})

describe("what may be kept", () => {
  const at = (method: Method, block_id: Json.Json, result: Json.Json) =>
    method.permanence?.({ block_id, contract_address: "0x1", key: "0x1" }, result, network)
  const check = (what: string, found: unknown, expected: unknown) => it(what, () => expect(found).toEqual(expected))
  const byHash = { block_hash: "0x1" }
  const byNumber = { block_number: 7 }
  const accepted = { status: "ACCEPTED_ON_L1" }

  check("storage by the hash of a block: forever", at(L2Events.GetStorageAt, byHash, "0x1"), "forever")
  check("storage by number: once final", at(L2Events.GetStorageAt, byNumber, "0x1"), { onceFinal: 7n })
  check("storage by a tag: never", at(L2Events.GetStorageAt, "l1_accepted", "0x1"), "changing")
  check("a block by hash, accepted below: forever", at(L2Events.GetBlockWithTxs, byHash, accepted), "forever")
  check("a block whose status may change: never", at(L2Events.GetBlockWithTxs, byHash, {}), "changing")
  check("a transaction: forever", at(L2Events.GetTransactionByHash, null, {}), "forever")
  const receipt = (finality_status: string) => at(L2Events.GetTransactionReceipt, null, { finality_status })
  check("a receipt that is accepted below: forever", receipt("ACCEPTED_ON_L1"), "forever")
  check("a receipt that is not: never", receipt("ACCEPTED_ON_L2"), "changing")
})

describe("the node's own codes", () => {
  const check = (rpcCode: number, tag: RpcReason.ReasonTag | undefined) =>
    it(`${rpcCode} is ${tag ?? "left to its status and code"}`, () =>
      expect(recognised(L2Events.Call, { httpStatus: 200, rpcCode, message: "no" })?._tag).toBe(tag))
  for (const code of [20, 24, 28, 29, 32]) check(code, "NotFound")
  for (const code of [21, 27]) check(code, "InvalidParams")
  check(40, undefined)
  check(42, "Unsupported")
  const said = (message: string, expected: unknown) =>
    it(`"${message}" of a node is ${JSON.stringify(expected)}`, () =>
      expect(recognised(L2Events.Call, { httpStatus: 200, rpcCode: -32_603, message })).toEqual(
        expected === undefined ? undefined : expect.objectContaining(expected),
      ))
  said("the state of block 5 was pruned", { _tag: "Unsupported", lacks: "history" })
  said("state is no longer available", { _tag: "Unsupported", lacks: "history" })
  said("internal error", undefined)
})

describe("results of both spec versions are accepted", () => {
  const check = (what: string, method: Method, result: Json.Json) =>
    it(what, () => expect(method.resultIssue(result)).toBeUndefined())
  const header = {
    block_hash: "0x1",
    parent_hash: "0x0",
    block_number: 1,
    new_root: "0x1",
    timestamp: 1,
    sequencer_address: "0x1",
    l1_gas_price: { price_in_fri: "0x1", price_in_wei: "0x1" },
    l2_gas_price: { price_in_fri: "0x1", price_in_wei: "0x1" },
    l1_data_gas_price: { price_in_fri: "0x1", price_in_wei: "0x1" },
    l1_da_mode: "BLOB",
    starknet_version: "0.14.0",
    status: "ACCEPTED_ON_L2",
  }
  check("a block of 0.9", L2Events.GetBlockWithTxHashes, { ...header, transactions: ["0x1"] })
  const counts = { event_count: 1, transaction_count: 1, state_diff_length: 0, event_commitment: "0x1" }
  check("a block of 0.10", L2Events.GetBlockWithTxHashes, { ...header, ...counts, transactions: ["0x1"] })
  check("storage of 0.9", L2Events.GetStorageAt, "0x1")
  check("storage of 0.10 with its last block", L2Events.GetStorageAt, { value: "0x1", last_update_block: 1 })
  check("an invoke transaction of version 1", L2Events.GetTransactionByHash, {
    type: "INVOKE",
    version: "0x1",
    transaction_hash: "0x1",
    sender_address: "0x1",
    calldata: [],
    max_fee: "0x1",
    signature: [],
    nonce: "0x0",
  })
})
