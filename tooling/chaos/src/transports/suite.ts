/**
 * Calls over each transport to servers that break off at any moment, while calls are interrupted and time out. In the end the ledger
 * is compared with what the server charged.
 */
import { setTimeout as wait } from "node:timers/promises"
import {
  BatchTransport,
  CreditBudget,
  CreditLedger,
  HttpTransport,
  Priority,
  RequestTimeout,
  Retry,
  Transport,
  WebSocketTransport,
} from "@dotrpc/core"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork } from "@dotrpc/spec"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import type { Random } from "../Random.ts"
import type { Round, Suite } from "../Suite.ts"
import { startHttpServer, startSocketServer } from "./servers.ts"

export const openTransports = (): Promise<Suite> =>
  Promise.resolve({
    round: (number, random) => playRound(ways[number % ways.length] ?? ways[0], random),
    close: () => Promise.resolve(),
  })

const ways = [
  { name: "HTTP", start: startHttpServer, layer: () => HttpTransport.layer() },
  { name: "fetch", start: startHttpServer, layer: () => HttpTransport.layer({ fetch: globalThis.fetch }) },
  { name: "batches", start: startHttpServer, layer: () => BatchTransport.layer({ size: 5, surcharge: 0 }) },
  { name: "WebSocket", start: startSocketServer, layer: () => WebSocketTransport.layer({ reconnectBase: 5 }) },
] as const

/** Of a call. */
const price = 80

const calls = 300

const playRound = async ({ layer, name, start }: (typeof ways)[number], random: Random): Promise<Round> => {
  const server = await start(random)
  const network = defineNetwork({
    id: "local",
    plugin: "evm",
    ...(name === "WebSocket" ? { wsUrl: server.url } : { url: server.url }),
  })
  const retries = random.oneOf([0, 2])
  const atOnce = random.oneOf([1, 8, 64])
  const stack = Retry.layer({ times: retries, base: 2, cap: 10 }).pipe(
    Layer.provide(CreditBudget.layer()),
    Layer.provide(layer()),
    Layer.provideMerge(CreditLedger.layerMemory({ daily: 100_000_000 })),
  )
  /** A call that goes its way, is interrupted at some moment, or has little time. */
  const one = (send: Transport["Service"]["send"]) => {
    const call = send({ method: Evm.GetStorageAt, network, params: [] }).pipe(
      Effect.provideService(RequestTimeout, random.oneOf([3, 20, 60])),
      Effect.provideService(Priority, random.oneOf(["interactive", "background"])),
    )
    const interrupted = random.isTrue(0.3)
    const moment = random.between(0, 15)
    return Effect.exit(interrupted ? Effect.asVoid(Effect.timeoutOption(call, moment)) : Effect.asVoid(call))
  }
  const play = Effect.gen(function* () {
    const context = yield* Layer.build(stack)
    const { send } = Context.get(context, Transport)
    const all = Array.from({ length: calls }, () => one(send))
    const exits = yield* Effect.all(all, { concurrency: atOnce })
    // What was on the wire when the last call ended arrives.
    yield* Effect.promise(() => wait(30))
    const { reserved, spent } = yield* Context.get(context, CreditLedger.CreditLedger).balance
    const defects = exits.flatMap((exit) =>
      Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? [Cause.pretty(exit.cause)] : [],
    )
    return { defects, reserved, spent }
  })
  const { defects, reserved, spent } = await Effect.runPromise(Effect.scoped(play))
  await server.close()
  const truth = server.charged() * price
  return {
    row: name,
    figures: {
      calls,
      faults: [...server.faults.values()].reduce((sum, count) => sum + count, 0),
      "credits charged": truth,
      "calls counted on top": (spent - truth) / price,
    },
    events: [...server.faults].map(([fault, count]) => `the server ${fault} ${count} times`),
    broken: [
      ...(spent < truth ? [`the server charged ${truth}, and the ledger says ${spent}`] : []),
      ...(reserved > 0 ? [`${reserved} credits stayed reserved`] : []),
      // Ending a reservation twice is a defect of its own.
      ...defects.map((defect) => `a call died: ${defect}`),
    ],
  }
}
