import { defineNetwork, type Json, type Method, Price, RpcClient, type RpcError } from "@dotrpc/spec"
import { it } from "@effect/vitest"
import { Effect, Layer, SchemaAST } from "effect"
import { describe, expect } from "vitest"
import * as chains from "viem/chains"
import { Evm } from "../src/index.ts"
import { everyTag } from "./samples/networks.ts"
import { block, hash, log, receipt, token } from "./samples/values.ts"

describe("the plugin", () => {
  it("begins with the methods of the service", () =>
    expect(Evm.plugin.methods.slice(0, 4).map((method) => method.name)).toEqual([
      "eth_getStorageAt",
      "eth_getBlockRange",
      "eth_getLogs",
      "eth_getTransactionReceipt",
    ]))
  it("shows which prices are published and which are assumed", () =>
    expect(
      Evm.plugin.methods.filter(({ price }) => !price.assumed).map(({ name, price }) => [name, price.credits]),
    ).toEqual([
      ["eth_getStorageAt", 80],
      ["eth_getLogs", 255],
    ]))
  it("lets a network set its own price", () => {
    const network = defineNetwork({ id: "own", plugin: "evm", credits: { eth_getBlockRange: 100 } })
    expect(Price.priceOf(Evm.GetBlockRange, network)).toEqual({ credits: 100, assumed: false })
  })
  it("repeats every method but those that write, and those of filters", () =>
    expect(
      Evm.plugin.methods.filter((method) => !method.idempotent || method.writes === true).map(({ name }) => name),
    ).toEqual([
      "eth_newFilter",
      "eth_newBlockFilter",
      "eth_newPendingTransactionFilter",
      "eth_uninstallFilter",
      "eth_getFilterChanges",
      "eth_sendRawTransaction",
      "eth_sendTransaction",
      "eth_sign",
      "eth_signTransaction",
    ]))
  it("writes with those that send a transaction or sign", () =>
    expect(Evm.plugin.methods.filter(({ writes }) => writes === true).map(({ name }) => name)).toEqual([
      "eth_sendRawTransaction",
      "eth_sendTransaction",
      "eth_sign",
      "eth_signTransaction",
    ]))
  it("names each position of its params", () => {
    for (const { name, params, positions } of Evm.plugin.methods)
      expect([name, positions.length]).toEqual([name, SchemaAST.isArrays(params.ast) ? params.ast.elements.length : 0])
  })
  it("has networks without an address", () => {
    for (const network of Evm.plugin.networks) expect([network.url, network.wsUrl]).toEqual([undefined, undefined])
  })
  it.each(Evm.plugin.networks.map((network) => [network.id, network] as const))(
    "agrees with viem on the chain and the explorer of %s",
    (_, network) => {
      const known = Object.values(chains).find((chain) => chain.id === network.chainId)
      const explorers = Object.values(known?.blockExplorers ?? {}).map(({ url }) => url.replace(/\/$/, ""))
      expect(explorers).toContain(network.explorer)
    },
  )
  it("knows what those networks cannot do", () => {
    const linea = Evm.plugin.networks.find((network) => network.id === "linea")
    expect(linea?.blockTags).not.toContain("safe")
    expect(Evm.plugin.networks.find((network) => network.id === "opbnb")?.historyDepth).toBe(128)
  })
})

describe("every member says what it is, for hover and completion", () => {
  /** Paths of members without a description, of objects at any depth. */
  const silent = (ast: SchemaAST.AST, path: string): ReadonlyArray<string> => {
    if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => silent(type, path))
    if (SchemaAST.isArrays(ast))
      return [...ast.elements, ...ast.rest].flatMap((item, index) => silent(item, `${path}[${index}]`))
    if (!SchemaAST.isObjects(ast)) return []
    return ast.propertySignatures.flatMap(({ name, type }) => [
      ...(typeof type.context?.annotations?.["description"] === "string" ? [] : [`${path}.${String(name)}`]),
      ...silent(type, `${path}.${String(name)}`),
    ])
  }
  for (const method of Evm.plugin.methods)
    it(method.name, () =>
      expect([...silent(method.params.ast, "params"), ...silent(method.result.ast, "result")]).toEqual([]),
    )
})

describe("every example may be sent as it is", () => {
  for (const method of Evm.plugin.methods) {
    it(`${method.name} has one`, () => expect(method.examples.length).toBeGreaterThanOrEqual(1))
    for (const example of method.examples)
      it(`${method.name}: ${example.title}`, () => expect(method.issues(example.params, everyTag)).toEqual([]))
  }
})

describe("the typed calls send their arguments as params", () => {
  const sent: Array<{ readonly name: string; readonly params: unknown }> = []
  const results: Readonly<Record<string, unknown>> = {
    eth_getStorageAt: hash("00"),
    eth_getBlockRange: [block],
    eth_getLogs: [log],
    eth_getTransactionReceipt: receipt,
  }
  const client = Layer.succeed(RpcClient, {
    call: <Params, Result>(method: Method<Params, Result>, params: Params) =>
      Effect.sync(() => {
        sent.push({ name: method.name, params })
        return results[method.name] as Result
      }),
    estimate: (method: Method, _params: Json.Json) =>
      Effect.succeed({ min: method.price.credits, max: method.price.credits, assumed: method.price.assumed }),
    networkOf: () => Effect.succeed(everyTag),
    prepare: (_method: Method, params: Json.Json) => Effect.succeed({ params }),
  })
  const check = <Result>(
    title: string,
    effect: Effect.Effect<Result, RpcError, RpcClient>,
    name: string,
    params: ReadonlyArray<unknown>,
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const result = yield* effect.pipe(Effect.provide(client))
        expect(sent.pop()).toEqual({ name, params })
        expect(result).toBe(results[name])
      }),
    )
  check("getStorageAt reads the latest block by default", Evm.getStorageAt(token, "0x0"), "eth_getStorageAt", [
    token,
    "0x0",
    "latest",
  ])
  check("getStorageAt takes a block", Evm.getStorageAt(token, "0x0", "0x11"), "eth_getStorageAt", [
    token,
    "0x0",
    "0x11",
  ])
  check("getBlockRange", Evm.getBlockRange("0x1", "latest", true), "eth_getBlockRange", ["0x1", "latest", true])
  check("getLogs", Evm.getLogs({ address: token, topics: [null] }), "eth_getLogs", [{ address: token, topics: [null] }])
  check("getTransactionReceipt", Evm.getTransactionReceipt(hash("aa")), "eth_getTransactionReceipt", [hash("aa")])
})
