import { defineNetwork, type Json, type Network, RpcError, type RpcReply, Transport } from "@dotrpc/spec"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { EmbeddedGateway, Gateway, sampleDelegates, sampleMints } from "../src/index.ts"
import { emptyChain } from "./emptyChain.ts"
import { noon } from "./gatewayRequests.ts"

const networkOf = (id: string): Network => {
  const network = EmbeddedGateway.networks.find((known) => known.id === id)
  if (network === undefined) throw new Error(`no network ${id}`)
  return network
}

/** The transport below: it says which network it was asked for. */
const below = Layer.succeed(Transport, {
  send: ({ network }): Effect.Effect<RpcReply> => Effect.succeed({ result: `below: ${network.id}` }),
})

const send = (method: (typeof Evm.plugin.methods)[number], network: Network, params: Json.Json, onSend?: () => void) =>
  Effect.flatMap(Transport, (transport) => transport.send({ method, network, params, onSend }))

const layer = EmbeddedGateway.layer().pipe(Layer.provide(below))

describe("networks inside the process", () => {
  it("are those of the plugins that answer them", () => {
    expect(EmbeddedGateway.networks.map(({ id, plugin }) => [id, plugin])).toEqual([
      ["evm", "evm"],
      ["evm-l2", "evm"],
      ["accounts", "token-accounts"],
      ["l2", "l2-events"],
    ])
    expect(networkOf("evm-l2")).toMatchObject({
      blockTags: ["latest", "earliest", "pending", "finalized"],
      historyDepth: 128,
    })
  })

  it.effect("answer what the schemas of their methods promise", () =>
    Effect.gen(function* () {
      const check = Effect.fnUntraced(function* (
        method: (typeof Evm.plugin.methods)[number],
        id: string,
        params: Json.Json,
      ) {
        const { result } = yield* send(method, networkOf(id), params)
        expect(method.resultIssue(result)).toBeUndefined()
        expect([null, []]).not.toContainEqual(result)
      })
      const blocks = ["0x36d", "0x36d"]
      for (const id of ["evm", "evm-l2"]) {
        yield* check(Evm.GetLogs, id, [{ fromBlock: "0x36d", toBlock: "0x380" }])
        yield* check(Evm.GetBlockRange, id, [...blocks, true])
        yield* check(Evm.GetBlockRange, id, [...blocks, false])
        yield* check(Evm.GetBlockRange, id, ["pending", "pending", true])
        yield* check(Evm.GetStorageAt, id, ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "latest"])
      }
      const receipt = "0x4d67013962356239a4d2877b3a5e632b48454c3ed9ca4d9033a0c02164ae5371"
      yield* check(Evm.GetTransactionReceipt, "evm", [receipt])
      for (const mint of Object.values(sampleMints))
        for (const encoding of ["base64", "base64+zstd", "jsonParsed"])
          yield* check(TokenAccounts.GetTokenAccountsByDelegate, "accounts", [
            sampleDelegates.market,
            { mint },
            { encoding, commitment: "processed" },
          ])
      yield* check(L2Events.GetEvents, "l2", {
        filter: { from_block: { block_number: 0 }, to_block: "pending", chunk_size: 1_000 },
      })
    }).pipe(Effect.provide(layer)),
  )

  it.effect("report that the request left", () =>
    Effect.gen(function* () {
      let sent = 0
      yield* send(Evm.GetLogs, networkOf("evm"), [{}], () => sent++)
      expect(sent).toBe(1)
    }).pipe(Effect.provide(layer)),
  )

  it.effect("classify their errors as a client does", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(Evm.GetLogs, networkOf("evm"), [{ fromBlock: "0x0" }]))
      expect(error).toMatchObject({ outcome: "rpc-error", reason: { _tag: "SplitRequired", cause: "results" } })
      const old = yield* Effect.flip(send(Evm.GetLogs, networkOf("evm-l2"), [{ fromBlock: "0x0" }]))
      expect(old.reason._tag).toBe("Unsupported")
      const safe = yield* Effect.flip(send(Evm.GetLogs, networkOf("evm-l2"), [{ fromBlock: "safe" }]))
      expect(safe.reason._tag).toBe("Unsupported")
    }).pipe(Effect.provide(layer)),
  )

  it.effect("charge a balance that is used up and comes back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* send(Evm.GetLogs, networkOf("evm"), [{}])
      const error = yield* Effect.flip(send(Evm.GetLogs, networkOf("evm"), [{}]))
      expect(error).toMatchObject({ outcome: "payment-required", reason: { _tag: "BudgetExhausted" } })
      yield* TestClock.adjust("12 hours")
      expect(yield* send(Evm.GetLogs, networkOf("evm"), [{}])).toEqual({ result: [] })
    }).pipe(Effect.provide(EmbeddedGateway.layer({ chain: emptyChain(), daily: 300 }).pipe(Layer.provide(below)))),
  )

  it.effect("are distinguished from one that does not exist", () =>
    Effect.gen(function* () {
      let sent = 0
      const network = defineNetwork({ id: "mine", plugin: "evm", url: "embedded:evn" })
      const error = yield* Effect.flip(send(Evm.GetLogs, network, [{}], () => sent++))
      expect(error).toBeInstanceOf(RpcError)
      expect(error.message).toBe(
        'eth_getLogs on mine: there is no embedded network "evn"; expected one of embedded:evm, embedded:evm-l2, embedded:accounts, embedded:l2',
      )
      expect(error).toMatchObject({ outcome: "unsent", reason: { _tag: "NotFound" } })
      expect(sent).toBe(0)
    }).pipe(Effect.provide(layer)),
  )

  it.effect("leave every other network to the transport below", () =>
    Effect.gen(function* () {
      const elsewhere = defineNetwork({ id: "mainnet", plugin: "evm", url: "https://mainnet.example/v3/key" })
      expect(yield* send(Evm.GetLogs, elsewhere, [{}])).toEqual({ result: "below: mainnet" })
      expect(yield* send(Evm.GetLogs, defineNetwork({ id: "bare", plugin: "evm" }), [{}])).toEqual({
        result: "below: bare",
      })
    }).pipe(Effect.provide(layer)),
  )

  it.effect("share the balance of a gateway that is given", () => {
    const gateway = Gateway.make({ chain: emptyChain(), keys: ["shared"] })
    return Effect.gen(function* () {
      yield* send(Evm.GetLogs, networkOf("evm"), [{}])
      expect(yield* Effect.orDie(gateway.credits("evm", "shared", 0))).toMatchObject({ spent: 255 })
    }).pipe(Effect.provide(EmbeddedGateway.layerOf(gateway, "shared").pipe(Layer.provide(below))))
  })
})
