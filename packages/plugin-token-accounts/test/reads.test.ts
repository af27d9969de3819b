import {
  afterPage,
  defineNetwork,
  firstPlace,
  Json,
  type Method,
  type PagePlace,
  type PageStep,
  recognised,
  type RpcReason,
} from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const network = defineNetwork({ id: "accounts", plugin: "token-accounts" })
const key = "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq"
const signature = "2SJ9Yw7MCb89CuFWg3hm247ZouYVHCvjDQWtJZrhMznAmvdTyWfPK4GMWKvSB5EaDtH88JvaHDAGPfzmtYwFYf3"

describe("params that are wrong are explained where they are wrong", () => {
  const check = (method: Method, params: Json.Json, path: ReadonlyArray<string | number>, message: string) =>
    it(`${method.name} ${Json.stringify(params).slice(0, 80)}: ${message}`, () =>
      expect(method.issues(params, network)).toEqual([{ path, message }]))

  check(TokenAccounts.GetBalance, [], [0], "position 0 is missing")
  check(TokenAccounts.GetHealth, [1], [0], "too many params: position 0 is not used")
  check(TokenAccounts.GetTransaction, [key], [0], "expected a base58 signature of 64 bytes, found 32 bytes")
  check(
    TokenAccounts.GetTransaction,
    [`${signature}0`],
    [0],
    `expected a base58 signature of 64 bytes, found "${signature}0"`,
  )
  check(
    TokenAccounts.GetSignaturesForAddress,
    [key, { limit: 1_001 }],
    [1, "limit"],
    "expected a whole number from 1 to 1000, found 1001",
  )
  check(
    TokenAccounts.GetMultipleAccounts,
    [Array.from({ length: 101 }, () => key)],
    [0],
    "expected at most 100 keys, found 101",
  )
  check(
    TokenAccounts.GetProgramAccounts,
    [key, { filters: [{ memcmp: { offset: 0, bytes: "0" } }] }],
    [1, "filters", 0, "memcmp", "bytes"],
    'expected up to 128 bytes as base58, found "0"',
  )
  check(
    TokenAccounts.GetProgramAccounts,
    [key, { filters: Array.from({ length: 5 }, () => ({ dataSize: 165 })) }],
    [1, "filters"],
    "expected at most 4 filters, found 5",
  )
})

describe("what is added before a call is sent is reported", () => {
  const check = (method: Method, params: Json.Json, sent: Json.Json, note: RegExp | undefined) =>
    it(`${method.name} ${Json.stringify(params)}`, () => {
      const prepared = method.prepare(params, network)
      expect(prepared.params).toEqual(sent)
      if (note === undefined) expect(prepared.note).toBeUndefined()
      else expect(prepared.note).toMatch(note)
    })

  check(TokenAccounts.GetAccountInfo, [key], [key, { encoding: "jsonParsed" }], /encoding "jsonParsed" was added/)
  const config = { encoding: "jsonParsed", withContext: true }
  check(
    TokenAccounts.GetProgramAccounts,
    [key, { withContext: true }],
    [key, config],
    /encoding "jsonParsed" was added/,
  )
  check(
    TokenAccounts.GetTransaction,
    [signature],
    [signature, { maxSupportedTransactionVersion: 0 }],
    /maxSupportedTransactionVersion 0 was added/,
  )
  check(
    TokenAccounts.GetBlock,
    [1, { maxSupportedTransactionVersion: 1 }],
    [1, { maxSupportedTransactionVersion: 1 }],
    undefined,
  )
  check(TokenAccounts.GetSlot, [], [], undefined)
})

describe("only what is final may be kept", () => {
  const transaction = { slot: 7, transaction: ["", "base64"], meta: null }
  const check = (what: string, method: Method, params: Json.Json, result: Json.Json, expected: unknown) =>
    it(what, () => expect(method.permanence?.(params, result, network) ?? "changing").toEqual(expected))

  check("a finalized transaction", TokenAccounts.GetTransaction, [signature], transaction, "forever")
  const confirmed = { commitment: "confirmed" }
  check("a confirmed one", TokenAccounts.GetTransaction, [signature, confirmed], transaction, { onceFinal: 7n })
  check("a transaction that is not known", TokenAccounts.GetTransaction, [signature], null, "changing")
  check("a confirmed block", TokenAccounts.GetBlock, [9, confirmed], {}, { onceFinal: 9n })
  check("the time of a block", TokenAccounts.GetBlockTime, [9], 1, { onceFinal: 9n })
  check("an account", TokenAccounts.GetAccountInfo, [key], { value: null }, "changing")
})

describe("a node that has no block says why", () => {
  const check = (rpcCode: number, message: string, tag: RpcReason.ReasonTag, lacks?: "history") =>
    it(`${rpcCode} "${message}" is ${tag}`, () => {
      const reason = recognised(TokenAccounts.GetBlock, { httpStatus: 200, rpcCode, message })
      expect([reason?._tag, reason?._tag === "Unsupported" ? reason.lacks : undefined]).toEqual([tag, lacks])
    })

  check(-32001, "Block 1 cleaned up, does not exist on node. First available block: 5", "Unsupported", "history")
  check(-32011, "Transaction history is not available from this node", "Unsupported", "history")
  check(-32603, "this slot was pruned", "Unsupported", "history")
  check(-32010, "key is excluded from account secondary indexes", "Unsupported")
  check(-32019, "Failed to query long-term storage; please try again", "Transport")
  check(-32007, "Slot 1 was skipped, or missing due to ledger jump to recent snapshot", "NotFound")
  check(-32009, "Slot 1 was skipped, or missing in long-term storage", "NotFound")
  check(-32004, "Block not available for slot 1", "NodeBehind")
  check(-32015, "Transaction version (0) is not supported by the requesting client", "InvalidParams")
})

describe("pages of signatures", () => {
  const { pages } = TokenAccounts.GetSignaturesForAddress
  const page = (...signatures: ReadonlyArray<string>): Json.Json =>
    signatures.map((text) => ({ signature: text, slot: 1, err: null }))

  it("a full page is followed by those before its last", () =>
    expect(pages?.next([key, { limit: 2 }], page("a", "b"))).toEqual([key, { limit: 2, before: "b" }]))
  it("a page that is not full is the last", () =>
    expect(pages?.next([key, { limit: 2, before: "b" }], page("c"))).toBeUndefined())
  it("signatures that go round are read once", () => {
    const kept: Array<Json.Json> = []
    let asked = 0
    let place: PagePlace | undefined = firstPlace(TokenAccounts.GetSignaturesForAddress, [key, { limit: 1 }])
    // After A the node gives B, and after B it gives A.
    while (place !== undefined) {
      const step: PageStep = afterPage(TokenAccounts.GetSignaturesForAddress, place, page(asked % 2 === 0 ? "a" : "b"))
      asked++
      kept.push(...step.items)
      place = step.next
    }
    expect([asked, kept]).toEqual([3, [page("a"), page("b")]])
  })
})
