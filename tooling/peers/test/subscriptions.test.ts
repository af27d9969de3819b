/** Subscriptions of the EVM plugin on anvil: every kind of event, a node that goes away, and the program of docs/scripts.md. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { CreditLedger, HttpTransport, RpcClient, Subscriptions } from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, type RpcError } from "@dotrpc/spec"
import { Effect, Fiber, Layer, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"

let node: AnvilNode
beforeAll(async () => {
  node = await startAnvil()
})
afterAll(() => node.stop())

const wsOf = (url: string) => url.replace(/^http/, "ws")

const live = (url: string) =>
  Subscriptions.layer().pipe(
    Layer.provide(
      RpcClient.layerMetered({ networks: [defineNetwork({ id: "anvil", plugin: "evm", url, wsUrl: wsOf(url) })] }),
    ),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 3_000_000 })),
    Layer.provide(HttpTransport.layer()),
  )

/** The first events of a subscription, while something is done again and again that causes them. */
const first = <Item>(
  count: number,
  events: Stream.Stream<Item, RpcError, Subscriptions.Subscriptions>,
  cause: () => Promise<unknown>,
) =>
  Effect.gen(function* () {
    const reading = yield* Effect.forkChild(Stream.runCollect(Stream.take(events, count)))
    const causing = yield* Effect.forkChild(
      Effect.forever(Effect.andThen(Effect.promise(cause), Effect.sleep("50 millis"))),
    )
    const items = yield* Fiber.join(reading)
    yield* Fiber.interrupt(causing)
    const { byMethod } = yield* CreditLedger.CreditLedger.balance
    return { items, byMethod }
  }).pipe(Effect.provide(live(node.url)), Effect.runPromise)

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const pay = () => ask(node.url, "eth_sendTransaction", [{ from: account, to: account, value: "0x1" }])

describe("anvil sends", () => {
  it("new heads, one after the other, and both calls are paid", async () => {
    const { byMethod, items } = await first(3, Evm.subscribe("newHeads"), () => ask(node.url, "anvil_mine", ["0x1"]))
    const numbers = items.map((head) => Evm.quantity(head.number ?? "0x0"))
    expect(numbers).toEqual([0n, 1n, 2n].map((at) => (numbers[0] ?? 0n) + at))
    expect(byMethod).toEqual({ eth_subscribe: 80, eth_unsubscribe: 80 })
  })

  it("hashes of pending transactions", async () => {
    const { items } = await first(2, Evm.subscribe("newPendingTransactions"), pay)
    for (const hash of items) expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it("logs that match a filter, and no others", async () => {
    const topic = `0x${"2a".padStart(64, "0")}` as const
    // Contracts that only write a log, with this topic and with another one, while they are created.
    const cause = async () => {
      for (const data of ["0x602b60006000a100", "0x602a60006000a100"])
        await ask(node.url, "eth_sendTransaction", [{ from: account, data }])
    }
    const { items } = await first(2, Evm.subscribe("logs", { topics: [topic] }), cause)
    expect(items.map(({ topics }) => topics)).toEqual([[topic], [topic]])
  })
})

describe("the program of the page about scripts", () => {
  it("prints the numbers of new blocks", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/scripts.md"), "utf8")
    const [, code = ""] = /^`heads\.ts`:\n\n```ts\n([^]*?)^```$/m.exec(guide) ?? []
    const room = mkdtempSync(join(import.meta.dirname, ".heads-"))
    writeFileSync(join(room, "heads.ts"), code)
    const mining = setInterval(() => void ask(node.url, "anvil_mine", ["0x1"]), 100)
    const { stdout } = await promisify(execFile)(process.execPath, [join(room, "heads.ts")], {
      env: { ...process.env, RPC_URL: node.url, RPC_WS_URL: wsOf(node.url) },
    }).finally(() => {
      clearInterval(mining)
      rmSync(room, { recursive: true, force: true })
    })
    expect(stdout).toMatch(/^(block \d+\n){3}160 credits\n$/)
  })
})
