/** What the layer-2 network answers around its events agrees with the events and with itself, for every seed. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type L2Chain, l2Chain, tokenKeys, highKey } from "../../src/events/L2Chain.ts"
import { Json } from "@dotrpc/spec"
import { type EventStore, Gateway, generateEvents, sampleL2Contracts, selectorOf } from "../../src/index.ts"
import { call } from "../gatewayRequests.ts"

const law = (name: string, check: (chain: L2Chain, events: EventStore) => void) =>
  it(name, () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 2, max: 40 }), (seed, blocks) => {
        const events = generateEvents({ seed, blocks, events: blocks * 6 })
        check(l2Chain(events), events)
      }),
      { numRuns: 10 },
    ),
  )

const blocksOf = (chain: L2Chain) => Array.from({ length: chain.head + 2 }, (_, number) => chain.block(number))

describe("the chain behind the events", () => {
  law("the events of its transactions are the events, in their order", (chain, events) => {
    const own = blocksOf(chain).flatMap((block) => (block?.transactions ?? []).flatMap((sent) => sent.events))
    const all = [...events.events({ blockNumber: 0, index: 0 }, events.pending)].map(({ event }) => event)
    expect(own).toEqual(all)
  })

  law("a transaction is found by its hash, and nonces of a sender count up", (chain) => {
    const nonces = new Map<string, number>()
    for (const block of blocksOf(chain))
      for (const [index, sent] of (block?.transactions ?? []).entries()) {
        expect(chain.transaction(sent.hash)).toBe(sent)
        expect(sent).toMatchObject({ index, blockNumber: block?.number, nonce: nonces.get(sent.sender) ?? 0 })
        nonces.set(sent.sender, sent.nonce + 1)
      }
    for (const [sender, nonce] of nonces) expect(chain.nonce(sender, chain.head + 1)).toBe(nonce)
  })

  law("changes of the blocks add up to the storage, and each changes something", (chain) => {
    const state = new Map<string, string>()
    for (const block of blocksOf(chain))
      for (const [contract, entries] of block?.changes.storage ?? [])
        for (const [key, value] of entries) {
          const place = `${contract} ${key}`
          expect(state.get(place)).not.toBe(value)
          state.set(place, value)
          expect(chain.storage(contract, key, block?.number ?? -1)).toEqual({ value, blockNumber: block?.number })
        }
    for (const [place, value] of state) {
      const [contract = "", key = ""] = place.split(" ")
      expect(chain.storage(contract, key, chain.head + 1)?.value).toBe(value)
    }
  })

  law("balances of a token are its supply, at every block", (chain) => {
    const amount = (token: string, key: string, block: number) =>
      BigInt(chain.storage(token, key, block)?.value ?? 0) +
      (BigInt(chain.storage(token, highKey(key), block)?.value ?? 0) << 128n)
    const holders = [...(chain.block(0)?.changes.deployed.keys() ?? [])]
    for (const token of [sampleL2Contracts.token, sampleL2Contracts.oldToken]) {
      if (chain.storage(token, tokenKeys.decimals, 0) === undefined) continue
      for (let block = 0; block <= chain.head + 1; block++) {
        const sum = holders.reduce((total, holder) => total + amount(token, tokenKeys.balance(holder), block), 0n)
        expect(sum).toBe(amount(token, tokenKeys.totalSupply, block))
      }
    }
  })

  law("roots and hashes lead from block to block", (chain) => {
    for (const block of blocksOf(chain).slice(1)) {
      const before = chain.block((block?.number ?? 0) - 1)
      expect(block).toMatchObject({ parentHash: before?.hash, oldRoot: before?.newRoot })
      expect(block?.timestamp).toBeGreaterThan(before?.timestamp ?? 0)
    }
  })
})

describe("what the methods answer", () => {
  const gateway = Gateway.make()
  const ask = async (method: string, params: Json.Json): Promise<Json.JsonObject> => {
    const { result } = await call(gateway, method, params, { network: "l2" })
    return Json.isObject(result) ? result : { result: result ?? null }
  }
  const block_id = { block_number: 150 }

  it("a block has the same transactions in all its forms, and each has its receipt", async () => {
    const { transactions: hashes } = await ask("l2_getBlockWithTxHashes", { block_id })
    const { transactions: whole } = await ask("l2_getBlockWithTxs", { block_id })
    const { transactions: both } = await ask("l2_getBlockWithReceipts", { block_id })
    const { result: count } = await ask("l2_getBlockTransactionCount", { block_id })
    const list = Json.isArray(hashes) ? hashes : []
    expect(list.length).toBe(count)
    for (const [index, transaction_hash] of list.entries()) {
      const transaction: unknown = await ask("l2_getTransactionByHash", { transaction_hash })
      const placed: unknown = await ask("l2_getTransactionByBlockIdAndIndex", { block_id, index })
      const receipt: unknown = await ask("l2_getTransactionReceipt", { transaction_hash })
      expect(placed).toEqual(transaction)
      expect(Json.isArray(whole) ? (whole[index] as unknown) : undefined).toEqual(transaction)
      const { transaction_hash: _, ...bare } = transaction as Json.JsonObject
      expect(Json.isArray(both) ? (both[index] as unknown) : undefined).toMatchObject({ transaction: bare })
      expect(receipt).toMatchObject({ transaction_hash, block_number: 150 })
    }
  })

  it("is the same under the name that the best known network uses", async () => {
    expect(await ask("starknet_getStateUpdate", { block_id })).toEqual(await ask("l2_getStateUpdate", { block_id }))
  })

  it("a balance that is called is the balance that is stored", async () => {
    const contract_address = sampleL2Contracts.token
    const { nonces } = (await ask("l2_getStateUpdate", { block_id })).state_diff as { nonces: Array<Json.JsonObject> }
    const account = String(nonces[0]?.contract_address)
    const request = { contract_address, entry_point_selector: selectorOf("balanceOf"), calldata: [account] }
    const { result: called } = await ask("l2_call", { request, block_id })
    const key = tokenKeys.balance(account)
    const low = (await ask("l2_getStorageAt", { contract_address, key, block_id })).result
    const high = (await ask("l2_getStorageAt", { contract_address, key: highKey(key), block_id })).result
    expect(called).toEqual([low, high])
  })
})
