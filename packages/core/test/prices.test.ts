/** What calls cost on networks with price sheets, and which account pays for them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sheetOf } from "@dotrpc/prices"
import { CurrentNetwork, type Network, type PriceSheet } from "@dotrpc/spec"
import { CreditBudget, CreditLedger, HttpTransport, RpcClient } from "../src/index.ts"
import { method } from "./scripted.ts"
import { type Call, reply, result, rpcError, serve } from "./server.ts"

const sheet = (id: string): PriceSheet.PriceSheet => sheetOf(id) ?? assert.fail(`no sheet ${id}`)

/** The ledgers of these networks: the common one with 1,000 credits, each account with `limit` units. */
const metered = (networks: ReadonlyArray<Network>, limit = 1_000, http: HttpTransport.Options = {}) =>
  RpcClient.layerMetered({ networks, retry: { times: 0 } }).pipe(
    Layer.provideMerge(
      CreditLedger.layerAccounts(networks, (account) =>
        CreditLedger.layerMemory({ daily: account === undefined ? 1_000 : limit, window: account?.prices.window }),
      ),
    ),
    Layer.provide(HttpTransport.layer(http)),
  )

const send = (network: string, name: string, params: ReadonlyArray<string> = ["0x1"]) =>
  RpcClient.call(method({ name }), params).pipe(Effect.provideService(CurrentNetwork, network))

const spentOn = (id: string) =>
  Effect.gen(function* () {
    const { accounts, balance } = yield* CreditLedger.CreditLedger
    const { spent } = yield* accounts?.get(id)?.ledger.balance ?? balance
    return spent
  })

describe("a call on a network with a price sheet", () => {
  const check = (
    name: string,
    prices: string,
    called: string,
    answer: (call: Call) => void,
    expected: number,
    { params, ...http }: HttpTransport.Options & { readonly params?: ReadonlyArray<string> } = {},
  ) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const server = yield* serve(answer)
        const network = { ...server.network, plugin: "test", chainId: 1, prices: sheet(prices), account: prices }
        const booked = yield* Effect.andThen(Effect.exit(send("local", called, params)), spentOn(prices)).pipe(
          Effect.provide(metered([network], Infinity, http)),
        )
        assert.strictEqual(booked, expected)
      }),
    )

  check("that ends with HTTP 500 is charged in full by Alchemy", "alchemy", "eth_getLogs", reply(500, "Sorry"), 60)
  check("that ends with HTTP 500 is free by Infura", "infura", "eth_getLogs", reply(500, "Sorry"), 0)
  check("that Alchemy does not know is free", "alchemy", "eth_getLogs", rpcError(200, -32601, "no such method"), 0)
  check("that fails otherwise is charged", "alchemy", "eth_getLogs", rpcError(200, -32000, "no"), 60)
  check("costs more by BlockPI where its reply is long", "blockpi", "eth_getLogs", result("0".repeat(400_001)), 150)
  check("costs what its own rule says where the reply is short", "blockpi", "eth_getLogs", result("0x1"), 50)
  check(
    "counts as the longest where its reply was given up",
    "blockpi",
    "eth_getLogs",
    result("0".repeat(1_000_001)),
    16_800,
    {
      maxReplyBytes: 500_000,
    },
  )
  check("counts as one of an old block where nobody knows the head", "chainstack", "eth_call", result("0x1"), 2, {
    params: ["0xa", "0x10"],
  })
  check("counts as one of the latest block where it says so", "chainstack", "eth_call", result("0x1"), 1, {
    params: ["0xa", "latest"],
  })
})

describe("accounts", () => {
  const networks = Effect.map(serve(result("0x1")), ({ network }): ReadonlyArray<Network> => {
    const at = (id: string, more: Partial<Network>): Network => ({ ...network, id, ...more })
    const alchemy = { prices: sheet("alchemy"), account: "alchemy-1" }
    return [
      at("plain", {}),
      at("mainnet", { ...alchemy, chainId: 1 }),
      at("polygon", { ...alchemy, chainId: 137 }),
      at("other", { prices: sheet("infura"), account: "infura-2" }),
    ]
  })

  it.live("are shared by networks that name the same one, and by no other", () =>
    Effect.gen(function* () {
      const all = yield* networks
      yield* Effect.gen(function* () {
        for (const id of ["plain", "mainnet", "polygon", "other"]) yield* send(id, "eth_getLogs", [id])
        const { accounts, balance } = yield* CreditLedger.CreditLedger
        const balances = [balance, ...Array.from(accounts?.values() ?? [], ({ ledger }) => ledger.balance)]
        const byNetwork = (yield* Effect.all(balances)).map((each) => each.byNetwork)
        assert.deepStrictEqual(byNetwork, [
          { plain: { eth_getLogs: 80 } },
          { mainnet: { eth_getLogs: 60 }, polygon: { eth_getLogs: 60 } },
          { other: { eth_getLogs: 255 } },
        ])
      }).pipe(Effect.provide(metered(all)))
    }),
  )

  it.live("refuse in their own unit and window, and leave the others alone", () =>
    Effect.gen(function* () {
      const all = yield* networks
      yield* Effect.gen(function* () {
        yield* send("mainnet", "eth_getLogs", ["a"])
        const { advice, message } = yield* Effect.flip(send("polygon", "eth_getLogs", ["b"]))
        assert.strictEqual(
          message,
          "eth_getLogs on polygon: refused: the call needs 60 CU, and the monthly limit of 100 has 40 left. Nothing was sent.",
        )
        assert.match(advice, /limits\.accounts/)
        yield* send("plain", "eth_getLogs", ["c"])
      }).pipe(Effect.provide(metered(all, 100)))
    }),
  )

  const checkReserved = (what: string, maxReplyBytes: number | undefined, expected: RegExp | undefined) =>
    it.live(`reserve for the longest reply, ${what}`, () =>
      Effect.gen(function* () {
        const { network } = yield* serve(result("0x1"))
        const paid = { ...network, prices: sheet("blockpi"), account: "blockpi-1" }
        const error = yield* Effect.flip(send("local", "eth_getLogs")).pipe(
          Effect.orElseSucceed(() => undefined),
          Effect.provide(metered([paid], 500, { maxReplyBytes })),
        )
        if (expected === undefined) assert.isUndefined(error)
        else assert.match(`${error?.message} ${error?.advice}`, expected)
      }),
    )
  checkReserved(
    "which is too much for a small limit",
    undefined,
    /needs 16800 RU[^]*longest reply, 64 MiB[^]*limits\.replyBytes/,
  )
  checkReserved("which a lower limit of replies makes small", 1_000_000, undefined)

  it.live("are paid from within one allowance together", () =>
    Effect.gen(function* () {
      const all = yield* networks
      const allowance = CreditBudget.makeAllowance({ name: "both", limit: 200 })
      yield* Effect.all(
        ["mainnet", "plain"].map((id) => send(id, "eth_getLogs", [id])),
        { concurrency: "unbounded" },
      ).pipe(CreditBudget.withAllowance(allowance), Effect.provide(metered(all)))
      assert.deepStrictEqual([allowance.spent, allowance.reserved], [140, 0])
    }),
  )
})
