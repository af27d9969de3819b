/** Broken replies: whatever comes of a call, it is an outcome that its caller can handle, and the ledger is right. */
import type { ServerResponse } from "node:http"
import { CreditLedger, HttpTransport, RpcClient } from "@dotrpc/core"
import { defineNetwork, RpcError } from "@dotrpc/spec"
import { runs } from "@dotrpc/vitest/depth"
import { Cause, Effect, Exit, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { asks, type Case } from "../src/Case.ts"
import { type Bounds, dotrpc } from "../src/Command.ts"
import { prices, startHostileServer } from "../src/HostileServer.ts"
import { breakReply, type Broken, type Mutation, mutation } from "../src/Mutation.ts"
import { balanceOf, projectOf, well } from "../src/Project.ts"
import { type Question, questions, realReply } from "../src/Questions.ts"
import { reportedIn, wrongBalance, wrongOutcome, wrongReport } from "../src/Verdict.ts"

const networks = [
  defineNetwork({ id: "evm", plugin: "evm", url: "http://fuzz.example/v3/canary-71d3a0" }),
  defineNetwork({ id: "accounts", plugin: "token-accounts", url: "http://fuzz.example/v3/canary-71d3a0" }),
  defineNetwork({ id: "l2", plugin: "l2-events", url: "http://fuzz.example/v3/canary-71d3a0" }),
]

/** Asks once; resolves with how it ended and what is in the ledger. */
const ask = async ({ method, network, params }: Question, mutations: ReadonlyArray<Mutation>) => {
  let charged = 0
  let sent = 0
  const fetch: HttpTransport.Fetch = async (_, init) => {
    const reply = breakReply(await realReply(network, String(init.body)), mutations[sent % mutations.length]!)
    sent += 1
    charged += chargeOf(reply.status, method.name)
    return responseOf(reply)
  }
  const live = RpcClient.layerMetered({
    networks,
    retry: { times: 2, base: "1 millis", cap: "2 millis", total: "20 millis" },
  }).pipe(
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 1_000_000 })),
    Layer.provide(HttpTransport.layer({ fetch, timeout: "2 seconds" })),
  )
  const program = Effect.gen(function* () {
    const exit = yield* Effect.exit(RpcClient.call(method, params))
    return { exit, balance: yield* (yield* CreditLedger.CreditLedger).balance }
  })
  return { ...(await Effect.runPromise(Effect.provide(program, live))), charged: () => charged, sent: () => sent }
}

const chargeOf = (status: number, method: string): number => {
  if (status === 402 || status === 429 || status >= 500) return 0
  return status >= 300 ? 5 : (prices[method] ?? 0)
}

const responseOf = ({ cut, headers, pieces, status }: Broken): Response => {
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers })
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      if (cut) controller.error(new TypeError("terminated"))
      else controller.close()
    },
  })
  return new Response(body, { status, headers })
}

describe("a reply that is broken in any way", () => {
  const check = (question: Question, index: number) =>
    it(`is an answer or an error, and paid for: ${question.method.name} ${index}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
          const { balance, charged, exit, sent } = await ask(question, mutations)
          if (Exit.isFailure(exit)) {
            expect(Cause.hasDies(exit.cause)).toBe(false)
            const error = Cause.squash(exit.cause)
            expect(error).toBeInstanceOf(RpcError)
            if (error instanceof RpcError) {
              expect(`${error.message} ${error.advice} ${error.code}`).not.toMatch(/canary|undefined|\[object/)
            }
          }
          expect(sent()).toBeLessThanOrEqual(3)
          expect(balance.spent).toBeGreaterThanOrEqual(charged())
          expect([balance.reserved, balance.spent + balance.remaining]).toEqual([0, balance.daily])
        }),
        { numRuns: runs(300) },
      )
    })
  questions.forEach(check)
})

describe("the built command among broken replies", () => {
  const bounds: Bounds = { seconds: 20, megabytes: 700 }
  it("reports each request once, whatever comes", async () => {
    const mutations = fc.sample(mutation, runs(120))
    const real = await Promise.all(
      Object.entries(askedOf).map(async ([ask, { body, network }]) => [ask, await realReply(network, body)] as const),
    )
    const cases = mutations.map((mutation, index): Case => {
      const [ask, reply] = real[index % real.length]!
      const plugin = askedOf[ask]?.plugin ?? "evm"
      return {
        name: `broken-${index}`,
        ask,
        plugin,
        http: (call) => send(breakReply(reply.replace('"id":1', `"id":${String(call.id)}`), mutation), call.response),
      }
    })
    await using server = await startHostileServer([...cases, well])
    using project = projectOf(server.origin, cases)
    const run = await dotrpc(["run", "hostile.rpc", "--parallel", "8", "--format", "json"], project.place, bounds)
    expect(wrongOutcome(run, bounds)).toEqual([])
    const reported = reportedIn(run.stdout)
    expect(cases.flatMap((row) => wrongReport(row, reported, server).map((what) => `${row.name}: ${what}`))).toEqual([])
    expect(wrongBalance(await balanceOf(project, bounds), server.charged())).toEqual([])
  })
})

const send = ({ cut, headers, pieces, status }: Broken, response: ServerResponse): void => {
  response.writeHead(status, headers)
  for (const piece of pieces) response.write(piece)
  if (cut) response.destroy()
  else response.end()
}

const bodyOf = (ask: string): string => {
  const [, method, params] = /^(\w+) ([^]*)$/.exec(ask) ?? []
  return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
}

const askedOf: Readonly<
  Record<string, { readonly network: Question["network"]; readonly plugin: Case["plugin"]; readonly body: string }>
> = {
  [asks.storage]: { network: "evm", plugin: "evm", body: bodyOf(asks.storage) },
  [asks.logs]: { network: "evm", plugin: "evm", body: bodyOf(asks.logs) },
  [asks.receipt]: { network: "evm", plugin: "evm", body: bodyOf(asks.receipt) },
  [asks.blocks]: { network: "evm", plugin: "evm", body: bodyOf(asks.blocks) },
  [asks.accounts]: { network: "accounts", plugin: "token-accounts", body: bodyOf(asks.accounts) },
  [asks.events]: { network: "l2", plugin: "l2-events", body: bodyOf(asks.events) },
}
