import { readdirSync, readFileSync } from "node:fs"
import { Json, PriceSheet } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { providers, sheetOf, sheets } from "../src/index.ts"

const folder = new URL("../sheets/", import.meta.url)
const files = readdirSync(folder).toSorted()
const read = (file: string): Json.Json => Json.parse(readFileSync(new URL(file, folder), "utf8"))

describe("the sheets", () => {
  it("are these", () =>
    expect(providers).toEqual([
      "alchemy",
      "ankr",
      "blockpi",
      "chainstack",
      "coinbase-cdp",
      "drpc",
      "getblock",
      "helius",
      "infura",
      "moralis",
      "nodereal",
      "quicknode",
      "tenderly",
    ]))

  it.each(files)("%s is a price sheet, named after its provider", (file) => {
    const sheet = read(file)
    expect(PriceSheet.read(sheet)).toEqual({ sheet })
    expect(sheet).toMatchObject({ id: file.replace(/\.json$/, "") })
  })

  // JSON modules still make Node 20 warn, so the texts are in a module. After a change of a sheet: vitest run -u
  it("are in the module that programs load", async () => {
    const entries = files.map((file) => {
      const text = JSON.stringify(read(file)).replaceAll("\\", "\\\\").replaceAll("'", "\\'")
      return `  [\n    "${file.replace(/\.json$/, "")}",\n    '${text}',\n  ],\n`
    })
    await expect(
      "/** The sheets of `sheets/*.json` by their ids, as texts; `test/sheets.test.ts` writes this file. */\n" +
        `export const sheetTexts: ReadonlyMap<string, string> = new Map([\n${entries.join("")}])\n`,
    ).toMatchFileSnapshot("../src/internal/sheetTexts.ts")
  })

  it("are the same objects whenever they are asked for", () => expect(sheets()[0]).toBe(sheetOf("alchemy")))
  it("have no name that every object has", () => expect(sheetOf("constructor")).toBeUndefined())
})

describe("prices that providers publish", () => {
  const on = {
    evm: { plugin: "evm", chainId: 1 },
    solana: { plugin: "token-accounts" },
    l2: { plugin: "l2-events", methodWord: "starknet" },
  }
  const check = (
    id: string,
    name: string,
    expected: { min: number; max?: number; assumed?: boolean },
    { network = on.evm, params = [] }: { network?: PriceSheet.PricedCall["network"]; params?: Json.Json } = {},
  ) =>
    it(`${id}: ${name} ${JSON.stringify(params)}`, () => {
      const sheet = sheetOf(id)
      if (sheet === undefined) throw new Error(`no sheet ${id}`)
      const word = name.startsWith("l2_") ? "l2" : undefined
      const range = PriceSheet.priceOf(sheet, { method: { name, word }, params, network, mostBytes: 500_000 })
      expect(range).toEqual({ max: expected.min, assumed: false, ...expected })
    })

  check("infura", "eth_getLogs", { min: 255 })
  check("infura", "eth_getStorageAt", { min: 80 })
  check("infura", "getTokenAccountsByDelegate", { min: 160 }, { network: on.solana })
  check("infura", "l2_getEvents", { min: 200 }, { network: on.l2 })
  check("alchemy", "eth_getLogs", { min: 60 })
  check("alchemy", "eth_call", { min: 26 })
  check("alchemy", "l2_getEvents", { min: 20 }, { network: on.l2 })
  check("drpc", "eth_chainId", { min: 0 })
  check("drpc", "trace_block", { min: 20 })
  check("blockpi", "eth_getLogs", { min: 50, max: 150 })
  check("blockpi", "eth_getLogs", { min: 65, max: 165 }, { params: [{ fromBlock: "earliest" }] })
  check("blockpi", "other_method", { min: 5, max: 10_000 })
  check("chainstack", "eth_getBalance", { min: 1, max: 2 }, { params: ["0x", "0x10"] })
  check("chainstack", "debug_traceTransaction", { min: 2 })
  check("quicknode", "eth_getLogs", { min: 20 })
  check("quicknode", "trace_replayTransaction", { min: 80 })
  check("quicknode", "getSupply", { min: 120 }, { network: on.solana })
  check("quicknode", "eth_call", { min: 20, assumed: true }, { network: { plugin: "evm" } })
  check(
    "helius",
    "getSignatureStatuses",
    { min: 10 },
    { network: on.solana, params: [[], { searchTransactionHistory: true }] },
  )
  check("coinbase-cdp", "eth_getLogs", { min: 100 })
  check("coinbase-cdp", "debug_traceCall", { min: 500 })
  check("ankr", "getSlot", { min: 500 }, { network: on.solana })
  check("moralis", "eth_call", { min: 12 }, { params: [{}, "earliest"] })
  check("getblock", "eth_getBalance", { min: 40 }, { params: ["0x", "earliest"] })
  check("getblock", "l2_getEvents", { min: 100 }, { network: on.l2 })
  check("tenderly", "eth_call", { min: 4 })
  check("nodereal", "debug_traceBlockByNumber", { min: 1_800 })
  check("nodereal", "eth_unlisted", { min: 50, assumed: true })
})

describe("what a failed eth_getLogs is charged", () => {
  const check = (id: string, end: PriceSheet.CallEnd, expected: number) =>
    it(`${id}: ${end.outcome} ${end.httpStatus ?? ""}`, () => {
      const sheet = sheetOf(id)
      if (sheet === undefined) throw new Error(`no sheet ${id}`)
      const network = { plugin: "evm", chainId: 1 }
      expect(PriceSheet.chargeOf(sheet, { method: { name: "eth_getLogs" }, params: [{}], network }, end)).toBe(expected)
    })

  check("alchemy", { outcome: "server-error", httpStatus: 500 }, 60)
  check("infura", { outcome: "server-error", httpStatus: 500 }, 0)
  check("alchemy", { outcome: "client-error", httpStatus: 400 }, 60)
  check("alchemy", { outcome: "client-error", httpStatus: 403 }, 0)
  check("alchemy", { outcome: "rpc-error", httpStatus: 200, rpcCode: -32601 }, 0)
  check("infura", { outcome: "client-error", httpStatus: 400 }, 5)
  check("infura", { outcome: "too-many-requests", httpStatus: 429 }, 0)
  check("quicknode", { outcome: "server-error", httpStatus: 503 }, 20)
})
