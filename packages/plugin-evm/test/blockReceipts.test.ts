import { describe, expect, it } from "vitest"
import type { Json, Method } from "@dotrpc/spec"
import { GetBlockByHash, GetBlockByNumber, GetBlockReceipts } from "../src/methods/block.ts"
import { GetBlockRange } from "../src/methods/getBlockRange.ts"
import { GetLogs } from "../src/methods/getLogs.ts"
import { GetTransactionReceipt } from "../src/methods/getTransactionReceipt.ts"
import { GetTransactionByHash } from "../src/methods/transaction.ts"

const hash = (digit: string) => `0x${digit.repeat(64)}`
const [block, other, one, two, three] = [hash("b"), hash("c"), hash("1"), hash("2"), hash("3")] as const

describe("a result shows which transactions are in which block", () => {
  const check = (name: string, method: Method, result: Json.Json, expected: ReadonlyArray<readonly [string, string]>) =>
    it(name, () => {
      const items = [...(method.blockItems?.(result) ?? [])]
      expect(items.map(({ block, item }) => [item, block])).toEqual(expected)
    })

  check("by the hashes of a block", GetBlockByNumber, { hash: block, transactions: [one, two] }, [
    [one, block],
    [two, block],
  ])
  check(
    "by the transactions of a block",
    GetBlockByHash,
    { hash: block, transactions: [{ hash: one, blockHash: block }] },
    [[one, block]],
  )
  check(
    "by several blocks",
    GetBlockRange,
    [
      { hash: block, transactions: [one] },
      { hash: other, transactions: [two] },
    ],
    [
      [one, block],
      [two, other],
    ],
  )
  check("by a transaction", GetTransactionByHash, { hash: one, blockHash: block }, [[one, block]])
  check("by a receipt", GetTransactionReceipt, { transactionHash: one, blockHash: block }, [[one, block]])
  check("by the receipts of a block", GetBlockReceipts, [{ transactionHash: one, blockHash: block }], [[one, block]])
  check(
    "by logs",
    GetLogs,
    [
      { transactionHash: one, blockHash: block },
      { transactionHash: two, blockHash: other },
    ],
    [
      [one, block],
      [two, other],
    ],
  )
  check("in any case", GetTransactionByHash, { hash: hash("A"), blockHash: hash("B") }, [[hash("a"), block]])
  check("not while it is pending", GetTransactionByHash, { hash: one, blockHash: null }, [])
  check("not in the pending block", GetBlockByNumber, { hash: null, transactions: [one] }, [])
  check(
    "not by a log of a block that was replaced",
    GetLogs,
    [{ transactionHash: one, blockHash: block, removed: true }],
    [],
  )
  check("not without a result", GetTransactionByHash, null, [])
  check(
    "not by anything else",
    GetLogs,
    ["0x", 1, { transactionHash: "0x1", blockHash: block }, { transactions: [] }, []],
    [],
  )
})

describe("the receipts of a block", () => {
  const part = GetTransactionReceipt.blockPart
  if (part === undefined) throw new Error("a receipt is part of a block")
  const receipt = (transactionHash: string, blockHash: string = block) => ({
    transactionHash,
    blockHash,
    status: "0x1",
  })
  const check = (name: string, result: Json.Json, expected: ReadonlyArray<Json.Json | undefined>) =>
    it(name, () => {
      expect(part.partsOf(result, block, [one, three])).toEqual(expected)
    })

  check(
    "are found by the hashes of their transactions",
    [receipt(one), receipt(two), receipt(three)],
    [receipt(one), receipt(three)],
  )
  check("may lack one", [receipt(two), receipt(three)], [undefined, receipt(three)])
  check("are found in any case", [receipt(hash("1").toUpperCase().replace("X", "x"))], [receipt(one), undefined])
  check("are not those of another block", [receipt(one, other), receipt(three)], [undefined, receipt(three)])
  check("are none where the block is not part of the chain", null, [undefined, undefined])
  check("are none in anything else", { [one]: receipt(one) }, [undefined, undefined])

  it("are asked for by the hash of a block that is part of the chain", () => {
    const params = part.paramsOf(block)
    expect(params).toEqual([{ blockHash: block, requireCanonical: true }])
    expect(part.whole).toBe(GetBlockReceipts)
  })
})
