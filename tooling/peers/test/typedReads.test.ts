/** The reads of both families: against surfpool's own answers, and beside @solana/kit and starknet.js on the gateway's sample data. */
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Json } from "@dotrpc/spec"
import { address, createSolanaRpc, signature } from "@solana/kit"
import { RpcProvider } from "starknet"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { ask } from "../src/ask.ts"
import { type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { delegate, mints, startTokenNode, tokenAccounts, tokenProgram } from "../src/TokenNode.ts"
import { typedCalls } from "../src/TypedCalls.ts"

const node = await startTokenNode()
let gateway: MeteredGateway
beforeAll(async () => {
  gateway = await startGateway(inject("nodeUrl"))
})
afterAll(async () => {
  node?.stop()
  await gateway.stop()
})

describe.skipIf(node === undefined)("on surfpool, a typed call gives the node's own result", () => {
  const url = node?.url ?? ""
  const typed = typedCalls({ id: "node", plugin: "token-accounts", url })
  const [first] = tokenAccounts
  const mint = mints.dollar.key

  /** The slot moves on between the two questions. */
  const withoutSlot = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || !("context" in value)) return value
    const { context: _, ...rest } = value
    return rest
  }

  const check = (name: string, ours: Parameters<typeof typed>[0], method: string, params: Json.Json) =>
    it(name, async () => {
      expect(withoutSlot(await typed(ours))).toEqual(withoutSlot(await ask(url, method, params)))
    })

  for (const encoding of ["base64", "base64+zstd", "jsonParsed"] as const) {
    check(`a mint in ${encoding}`, TokenAccounts.getAccountInfo(mint, { encoding }), "getAccountInfo", [
      mint,
      { encoding },
    ])
    check(
      `several accounts in ${encoding}`,
      TokenAccounts.getMultipleAccounts([mint, delegate, first.owner], { encoding }),
      "getMultipleAccounts",
      [[mint, delegate, first.owner], { encoding }],
    )
  }
  check(
    "the accounts of an owner",
    TokenAccounts.getTokenAccountsByOwner(first.owner, { mint }),
    "getTokenAccountsByOwner",
    [first.owner, { mint }, { encoding: "jsonParsed" }],
  )
  const filters = [{ memcmp: { offset: 0, bytes: mint } }]
  it("the accounts of a program that meet a filter", async () => {
    const ours = await typed(TokenAccounts.getProgramAccounts(tokenProgram, { filters, encoding: "base64" }))
    const theirs = await ask(url, "getProgramAccounts", [tokenProgram, { filters, encoding: "base64" }])
    expect(byKey(ours)).toEqual(byKey(theirs as never))
    expect(ours).toHaveLength(tokenAccounts.filter((account) => account.mint === "dollar").length)
  })
  check("a supply", TokenAccounts.getTokenSupply(mint), "getTokenSupply", [mint])
  check("the lamports of a mint", TokenAccounts.getBalance(mint), "getBalance", [mint])
  check("the lamports of nobody", TokenAccounts.getBalance(delegate), "getBalance", [delegate])
  check("the version", TokenAccounts.getVersion(), "getVersion", [])
  check("the health", TokenAccounts.getHealth(), "getHealth", [])

  it("an amount, by the key of its account", async () => {
    const { value } = await typed(TokenAccounts.getTokenAccountsByOwner(first.owner, { mint }))
    const key = value[0]?.pubkey ?? ""
    const ours = await typed(TokenAccounts.getTokenAccountBalance(key))
    expect(ours.value.amount).toBe(String(first.amount))
    expect(withoutSlot(ours)).toEqual(withoutSlot(await ask(url, "getTokenAccountBalance", [key])))
  })

  it("the largest accounts of a mint, exact to the last digit", async () => {
    const { value } = await typed(TokenAccounts.getTokenLargestAccounts(mint))
    expect(value.map(({ amount }) => amount)).toEqual([String(2n ** 63n + 1n), "1500000"])
  })

  it("where the chain is, which never goes back", async () => {
    const before = await ask(url, "getSlot", [])
    const slot = await typed(TokenAccounts.getSlot())
    expect(BigInt(slot)).toBeGreaterThanOrEqual(BigInt(Number(before)))
    const { absoluteSlot, slotIndex, slotsInEpoch } = await typed(TokenAccounts.getEpochInfo())
    expect(BigInt(absoluteSlot)).toBeGreaterThanOrEqual(BigInt(slot))
    expect(BigInt(slotIndex)).toBeLessThan(BigInt(slotsInEpoch))
    expect(BigInt(await typed(TokenAccounts.getBlockHeight()))).toBeGreaterThanOrEqual(0n)
    const { value } = await typed(TokenAccounts.getLatestBlockhash({ commitment: "confirmed" }))
    expect(value.blockhash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  })

  it("a transaction, from its signature to its block, in every encoding", async () => {
    const receiver = tokenAccounts[1].owner
    const sent = String(await ask(url, "requestAirdrop", [receiver, 1_000_000_000]))
    const commitment = "confirmed" as const
    const list = await typed(TokenAccounts.getSignaturesForAddress(receiver, { commitment }))
    expect(list.map((entry) => entry.signature)).toContain(sent)
    const keys = []
    for (const encoding of ["json", "jsonParsed", "base64", "base58"] as const) {
      const config = { encoding, commitment, maxSupportedTransactionVersion: 0 }
      const ours = await typed(TokenAccounts.getTransaction(sent, config))
      expect(ours).toEqual(await ask(url, "getTransaction", [sent, config]))
      const table = TokenAccounts.GetTransaction.render(ours as Json.Json, 10, {})
      keys.push(table.rows.map(([account]) => account))
    }
    expect(keys[0]).toContain(receiver)
    for (const rows of keys) expect(rows).toEqual(keys[0])
    const slot = list.find((entry) => entry.signature === sent)?.slot ?? 0
    const block = await typed(TokenAccounts.getBlock(slot, { commitment, transactionDetails: "signatures" }))
    expect(block?.signatures).toContain(sent)
    expect(await typed(TokenAccounts.getBlockTime(slot))).toEqual(await ask(url, "getBlockTime", [Number(slot)]))
  })
})

describe("on the gateway, a typed call gives what @solana/kit reads", () => {
  const holder = "GPuzTVEHZrcKQxH3L9AjC7w72r6hbnKX6tCaBcve5pPX"
  const commitment = "confirmed" as const
  const check = (
    name: string,
    ours: (typed: ReturnType<typeof typedCalls>) => Promise<unknown>,
    theirs: (rpc: ReturnType<typeof createSolanaRpc>) => Promise<unknown>,
  ) =>
    it(name, async () => {
      const url = gateway.sampleUrl("accounts")
      const typed = typedCalls({ id: "accounts", plugin: "token-accounts", url })
      expect(exact(await ours(typed))).toEqual(exact(await theirs(createSolanaRpc(url))))
    })
  const mint = mints.dollar.key

  check(
    "an account",
    (typed) => typed(TokenAccounts.getAccountInfo(mint, { encoding: "jsonParsed", commitment })),
    (rpc) => rpc.getAccountInfo(address(mint), { encoding: "jsonParsed", commitment }).send(),
  )
  check(
    "a balance of tokens",
    (typed) => typed(TokenAccounts.getTokenAccountBalance(holder, { commitment })),
    (rpc) => rpc.getTokenAccountBalance(address(holder), { commitment }).send(),
  )
  check(
    "the largest holders",
    (typed) => typed(TokenAccounts.getTokenLargestAccounts(mint, { commitment })),
    (rpc) => rpc.getTokenLargestAccounts(address(mint), { commitment }).send(),
  )
  check(
    "the epoch",
    (typed) => typed(TokenAccounts.getEpochInfo({ commitment })),
    (rpc) => rpc.getEpochInfo({ commitment }).send(),
  )
  check(
    "the newest blockhash",
    (typed) => typed(TokenAccounts.getLatestBlockhash({ commitment })),
    (rpc) => rpc.getLatestBlockhash({ commitment }).send(),
  )
  check(
    "signatures",
    (typed) => typed(TokenAccounts.getSignaturesForAddress(delegate, { commitment, limit: 20 })),
    (rpc) => rpc.getSignaturesForAddress(address(delegate), { commitment, limit: 20 }).send(),
  )
  check(
    "a transaction",
    async (typed) => {
      const [newest] = await typed(TokenAccounts.getSignaturesForAddress(delegate, { commitment }))
      const config = { encoding: "jsonParsed", commitment, maxSupportedTransactionVersion: 0 } as const
      return typed(TokenAccounts.getTransaction(newest?.signature ?? "", config))
    },
    async (rpc) => {
      const [newest] = await rpc.getSignaturesForAddress(address(delegate), { commitment }).send()
      const config = { encoding: "jsonParsed", commitment, maxSupportedTransactionVersion: 0 } as const
      return rpc.getTransaction(signature(newest?.signature ?? ""), config).send()
    },
  )
  check(
    "a block",
    (typed) =>
      typed(TokenAccounts.getBlock(312_399_998, { commitment, encoding: "json", maxSupportedTransactionVersion: 0 })),
    (rpc) => rpc.getBlock(312_399_998n, { commitment, encoding: "json", maxSupportedTransactionVersion: 0 }).send(),
  )
})

describe("on the gateway, a typed call gives what starknet.js reads", () => {
  const token = "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d"
  const account = "0xa0759b62444b99e0b5cec651db5b1be708e30f0cf47c2171048973df859283"
  const transaction = "0xc4768399290800e729ae6d65d9254ac289f5cdc82d1adaee4d699b224f4bd7"
  const block = { block_number: 2 }
  const check = (
    name: string,
    ours: (typed: ReturnType<typeof typedCalls>) => Promise<unknown>,
    theirs: (starknet: RpcProvider) => Promise<unknown>,
  ) =>
    it(name, async () => {
      const url = gateway.sampleUrl("l2")
      const typed = typedCalls({ id: "l2", plugin: "l2-events", url, methodWord: "starknet" })
      expect(await ours(typed)).toEqual(await theirs(new RpcProvider({ nodeUrl: url })))
    })

  check(
    "the newest block",
    (typed) => typed(L2Events.blockNumber()),
    (starknet) => starknet.getBlockNumber(),
  )
  check(
    "its hash",
    (typed) => typed(L2Events.blockHashAndNumber()),
    (starknet) => starknet.getBlockLatestAccepted(),
  )
  check(
    "the id of the chain",
    (typed) => typed(L2Events.chainId()),
    (starknet) => starknet.getChainId(),
  )
  check(
    "the spec version",
    (typed) => typed(L2Events.specVersion()),
    (starknet) => starknet.getSpecVersion(),
  )
  check(
    "a block with hashes",
    (typed) => typed(L2Events.getBlockWithTxHashes(block)),
    (starknet) => starknet.getBlockWithTxHashes(2),
  )
  check(
    "a block with transactions",
    (typed) => typed(L2Events.getBlockWithTxs(block)),
    (starknet) => starknet.getBlockWithTxs(2),
  )
  check(
    "a block with receipts",
    (typed) => typed(L2Events.getBlockWithReceipts(block)),
    (starknet) => starknet.getBlockWithReceipts(2),
  )
  check(
    "a transaction",
    (typed) => typed(L2Events.getTransactionByHash(transaction)),
    (starknet) => starknet.getTransactionByHash(transaction),
  )
  check(
    "a status",
    (typed) => typed(L2Events.getTransactionStatus(transaction)),
    (starknet) => starknet.getTransactionStatus(transaction),
  )
  check(
    "a storage value",
    (typed) => typed(L2Events.getStorageAt(token, L2Events.selector("ERC20_total_supply"), block)),
    // The client asks for the block of the last write as well.
    async (starknet) => {
      const found = await starknet.getStorageAt(token, L2Events.selector("ERC20_total_supply"), 2)
      return typeof found === "string" ? found : found.value
    },
  )
  check(
    "a nonce",
    (typed) => typed(L2Events.getNonce(account)),
    (starknet) => starknet.getNonceForAddress(account, "latest"),
  )
  check(
    "a class",
    (typed) => typed(L2Events.getClassHashAt(account)),
    (starknet) => starknet.getClassHashAt(account, "latest"),
  )
  check(
    "a state update",
    (typed) => typed(L2Events.getStateUpdate(block)),
    (starknet) => starknet.getStateUpdate(2),
  )
  check(
    "a balance",
    (typed) =>
      typed(
        L2Events.call(
          { contract_address: token, entry_point_selector: L2Events.selector("balanceOf"), calldata: [account] },
          block,
        ),
      ),
    (starknet) => starknet.callContract({ contractAddress: token, entrypoint: "balanceOf", calldata: [account] }, 2),
  )
})

/**
 * Every whole number as a bigint: the client makes bigints of what may be large and numbers of the rest. Only the deprecated
 * `uiAmount` is a double.
 */
const exact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "uiAmount" && member !== null ? Number(member) : exact(member),
    ]),
  )
}

/** Nodes give accounts in any order. */
const byKey = <Entry extends { readonly pubkey: string }>(entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.toSorted((one, other) => (one.pubkey < other.pubkey ? -1 : 1))
