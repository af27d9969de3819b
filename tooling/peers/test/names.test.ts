/** Names of ENS on a real node: the registry and its resolvers are contracts, some of them hostile. */
import { CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { lookUpNames, priceOfNames } from "@dotrpc/runner"
import { defineNetwork, shownName } from "@dotrpc/spec"
import { Effect, Layer } from "effect"
import { encodeFunctionData, namehash } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { compileContract } from "../src/Solidity.ts"

const registry = "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e"
const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11"
const sender = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const account = (number: number) => `0x${number.toString(16).padStart(40, "a")}` as const
const treasury = account(1)
const impostor = account(2)
const lookalike = account(3)
const hostile = [account(4), account(5), account(6), account(7), account(8), account(9)]
const nameless = Array.from({ length: 50 }, (_, index) => account(100 + index))

let node: AnvilNode
beforeAll(async () => {
  node = await startAnvil()
  const names = compileContract("Names")
  /** Its receipt: anvil may leave a transaction in its pool for a moment. */
  const mined = async (transaction: { readonly to?: string; readonly data: string }) => {
    const hash = await ask(node.url, "eth_sendTransaction", [{ ...transaction, from: sender, gas: "0x400000" }])
    for (;;) {
      const receipt = await ask(node.url, "eth_getTransactionReceipt", [hash])
      if (receipt !== null) return receipt
      await ask(node.url, "evm_mine", [])
    }
  }
  const deploy = async (bytecode: string) => {
    const { contractAddress } = JSON.parse(JSON.stringify(await mined({ data: bytecode })))
    return contractAddress as `0x${string}`
  }
  const resolver = await deploy(names.bytecode)
  const evil = await deploy(compileContract("HostileResolver").bytecode)
  await ask(node.url, "anvil_setCode", [registry, await ask(node.url, "eth_getCode", [resolver, "latest"])])
  const send = async (to: string, functionName: string, args: ReadonlyArray<string>) => {
    const data = encodeFunctionData({ abi: names.abi, functionName, args })
    await mined({ to, data })
  }
  const own = (of: string) => namehash(`${of.slice(2)}.addr.reverse`)
  const claim = async (of: string, name: string) => {
    await send(registry, "setResolver", [own(of), resolver])
    await send(resolver, "setName", [own(of), name])
  }
  const lead = async (node: `0x${string}`, to: string) => {
    await send(registry, "setResolver", [node, resolver])
    await send(resolver, "setAddr", [node, to])
  }
  await claim(treasury, "treasury.eth")
  await lead(namehash("treasury.eth"), treasury)
  await claim(impostor, "treasury.eth")
  await claim(lookalike, "tre\u0430sury.eth")
  await lead(namehash("tre\u0430sury.eth"), lookalike)
  for (const of of hostile) await send(registry, "setResolver", [own(of), evil])
})
afterAll(() => node.stop())

const lookUp = (accounts: ReadonlyArray<string>) => {
  const network = defineNetwork({ id: "mainnet", plugin: "evm", chainId: 1, url: node.url })
  const reader = Evm.plugin.names
  if (reader === undefined) throw new Error("The plugin has no names.")
  const question = { reader, network, accounts }
  const client = RpcClient.layerMetered({ networks: [network], multicall: { use: "known" } }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )
  return Effect.gen(function* () {
    const found = yield* lookUpNames(question)
    const { spent } = yield* CreditLedger.CreditLedger.balance
    return { ...found, spent, price: priceOfNames(question) }
  }).pipe(Effect.provide(client), Effect.runPromise)
}

const all = [treasury, impostor, lookalike, ...hostile, ...nameless]

it("finds the names that lead back to their accounts, and charges what was sent", async () => {
  const { credits, names, price, spent } = await lookUp(all)
  expect([...names].map(([of, name]) => [of, shownName(name)])).toEqual([
    [treasury, "treasury.eth"],
    [lookalike, "tre\\u{430}sury.eth"],
  ])
  expect(credits).toBe(spent)
  expect(credits).toBeGreaterThanOrEqual(price.min)
  expect(credits).toBeLessThanOrEqual(price.max ?? 0)
})

it("asks about all of them together where the network has the contract for it", async () => {
  const code = await Evm.getCode(multicall3).pipe(
    Effect.provide(
      RpcClient.layer({ networks: EmbeddedGateway.networks }).pipe(
        Layer.provide(EmbeddedGateway.layer()),
        Layer.provide(HttpTransport.layer()),
      ),
    ),
    Effect.runPromise,
  )
  await ask(node.url, "anvil_setCode", [multicall3, code])
  const { credits, names, spent } = await lookUp([treasury, impostor, lookalike, ...nameless])
  expect(names.size).toBe(2)
  expect(credits).toBe(4 * 80)
  expect(credits).toBeCloseTo(spent)
})

it("sends one call and no more when nobody has a name", async () => {
  expect(await lookUp(nameless)).toMatchObject({ credits: 80, names: new Map(), known: nameless })
})
