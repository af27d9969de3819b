/** The decimals and the symbol of a token, whatever its contract answers, and amounts in them. */
import { type Json, type Method, RpcClient, RpcError, RpcReason, Table, type TokenUnits } from "@dotrpc/spec"
import { it as effectIt } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { holder, log, token, transaction, transferTopic, word } from "./samples/values.ts"

const asText = (text: string, length = text.length): string => {
  const hex = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, "0")
  return `0x${word("20").slice(2)}${word(length.toString(16)).slice(2)}${padded}`
}
const asBytes32 = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .padEnd(64, "0")}`

type Answer = string | undefined

describe("the units of a token", () => {
  const check = (title: string, answers: readonly [decimals: Answer, symbol: Answer], expected: object) =>
    it(title, () => expect(Evm.plugin.units?.read(token, answers)).toMatchObject(expected))
  const hidden = { units: { token, decimals: 6 }, note: expect.stringContaining("its symbol is not shown") }

  check("are its decimals and its symbol", [word("6"), asText("USDC")], {
    units: { token, decimals: 6, symbol: "USDC" },
  })
  check("may have a symbol of bytes32", [word("12"), asBytes32("MKR")], {
    units: { token, decimals: 18, symbol: "MKR" },
  })
  check("may have no symbol", [word("6"), undefined], { units: { token, decimals: 6 }, note: "it has no symbol()" })
  check("have no symbol that steers a terminal", [word("6"), asText("\u001b[2JUSDC")], hidden)
  check("have no symbol that turns the text around", [word("6"), asText("\u202eCDSU")], hidden)
  check("have no symbol of letters that look like others", [word("6"), asText("USD\u0421")], hidden)
  check("have no symbol of a megabyte", [word("6"), asText("A".repeat(1_000_000))], hidden)
  check("have no symbol that is shorter than its length says", [word("6"), asText("USDC", 2 ** 40)], hidden)
  check("have no symbol in bytes of another type", [word("6"), "0x1234"], hidden)
  const problem = (text: string) => ({ problem: expect.stringContaining(text) })
  check("are unknown without decimals()", [undefined, asText("USDC")], problem("it has no decimals()"))
  check("are unknown where there is no contract", ["0x", "0x"], problem("it has no decimals()"))
  check("are unknown with more decimals than an integer has", [word("4e"), asText("X")], problem("0 to 77"))
  check("are unknown with absurd decimals", [word("f".repeat(64)), asText("X")], problem("0 to 77"))
  check("are unknown where decimals() returns more than a number", [asText("6"), asText("X")], problem("0 to 77"))

  it("are read for an address only", () => {
    expect(Evm.plugin.units?.token("0x5FbDB2315678afecb367f032d93F642f64180aa3")).toBe(token)
    expect(Evm.plugin.units?.token("USDC")).toBeUndefined()
    expect(Evm.plugin.units?.calls(token).map(({ params }) => params)).toEqual([
      [{ to: token, input: "0x313ce567" }, "latest"],
      [{ to: token, input: "0x95d89b41" }, "latest"],
    ])
  })
})

describe("readUnits", () => {
  const reverted = new RpcError({
    method: "eth_call",
    network: "evm",
    reason: new RpcReason.Rejected({ said: "execution reverted", rpcCode: 3 }),
    outcome: "rpc-error",
  })
  const unreachable = new RpcError({
    method: "eth_call",
    network: "evm",
    reason: new RpcReason.Transport({ said: "no route" }),
    outcome: "unsent",
  })
  const check = (title: string, answers: readonly [Json.Json | RpcError, Json.Json | RpcError], expected: object) =>
    effectIt.effect(title, () =>
      Effect.gen(function* () {
        const client = Layer.succeed(RpcClient, {
          call: <Params, Result>(_: Method<Params, Result>, params: Params) => {
            const answer = JSON.stringify(params).includes("0x313ce567") ? answers[0] : answers[1]
            return answer instanceof RpcError ? Effect.fail(answer) : Effect.succeed(answer as Result)
          },
          estimate: () => Effect.die("not asked"),
          networkOf: () => Effect.die("not asked"),
          prepare: () => Effect.die("not asked"),
        })
        const found = yield* Effect.result(Effect.provide(Evm.readUnits(token), client))
        expect(Result.isSuccess(found) ? found.success : found.failure).toMatchObject(expected)
      }),
    )
  check("gives the units", [word("6"), asText("USDC")], { token, decimals: 6, symbol: "USDC" })
  check("gives no symbol where the contract has none", [word("6"), reverted], { token, decimals: 6 })
  check("fails where the contract has no decimals", [reverted, reverted], { _tag: "UnitsUnreadable", token })
  check("fails as a call does", [unreachable, asText("USDC")], { _tag: "RpcError" })
})

describe("amounts in units", () => {
  const units: TokenUnits = { token, decimals: 6, symbol: "USDC" }
  const amount = word((1_204_500_000).toString(16))
  const transfer = { ...log, data: amount }
  const check = (title: string, table: Table.Table, expected: ReadonlyArray<string>) =>
    it(title, () => expect([Table.summarize(table), ...table.rows.map((row) => row.at(-1))]).toEqual(expected))
  check("are those of logs of the token", Evm.GetLogs.render([transfer], 5, { units }), ["1 log", "1,204.5 USDC"])
  check("are not those of other contracts", Evm.GetLogs.render([{ ...transfer, address: holder }], 5, { units }), [
    "1 log",
    "1,204,500,000",
  ])
  const call = (input: string) => ({ units, sent: { params: [{ to: token, input }, "latest"], meanings: [] } })
  check("are those that a call returned", Evm.EthCall.render(amount, 5, call("0x18160ddd")), [
    "1,204.5 USDC · uint256",
    "1,204.5 USDC",
  ])
  check("are not small integers", Evm.EthCall.render(word("6"), 5, call("0x313ce567")), ["6 · uint8", "6"])
  check("are those of a word whose type is not known", Evm.EthCall.render(amount, 0, call("0x12345678")), [
    "1,204.5 USDC · 1,204,500,000 · 0x47cb3620",
  ])
  check("are those in storage", Evm.GetStorageAt.render(amount, 0, { units }), ["1,204.5 USDC"])
  it("stand in a receipt and in the arguments of a transaction to the token", () => {
    const input = `0xa9059cbb${word(holder.slice(2)).slice(2)}${amount.slice(2)}`
    const rows = (to: string) =>
      Evm.GetTransactionByHash.render({ ...transaction, to, input }, 40, { units }).rows.map((row) => row.join(" "))
    expect(rows(token).join("\n")).toContain("1,204.5 USDC")
    expect(rows(holder).join("\n")).not.toContain("USDC")
    expect(transfer.topics[0]).toBe(transferTopic)
  })
  it("are the same as in a script", () => expect(Evm.formatUnits(1_204_500_000n, units)).toBe("1,204.5 USDC"))
})
