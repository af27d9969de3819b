/** A leg of a backfill against what it may spend: dear calls, limits that come late, and answers that cannot be written. */
import {
  FileProblem,
  findEnds,
  Lanes,
  type LegEnd,
  type Order,
  PartFiles,
  runLeg,
  Store,
  Targets,
} from "@dotrpc/backfill"
import { CreditBudget, CreditLedger, RangeScan, RpcClient, SqliteFile } from "@dotrpc/core"
import { sheetOf } from "@dotrpc/prices"
import { Json, type Network, RpcError, Transport } from "@dotrpc/spec"
import { Effect, Layer, Logger } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openFolder } from "../src/BackfillFiles.ts"
import * as BackfillFiles from "../src/BackfillFiles.ts"
import { Chain, method, narrowNetwork, price, randomFrom } from "./backfills/chain.ts"
import { temporaryFolder } from "./folders.ts"

type Limits = Pick<Order, "maxCredits" | "perHour">

interface Case extends Limits {
  readonly network?: Network
  /** What happens after a call of this number. */
  readonly after?: (call: number, store: Store.Store["Service"]) => Effect.Effect<unknown, unknown>
  readonly isDiskFull?: boolean
  /** What the node makes of its answers. */
  readonly sent?: (answer: Json.Json) => Json.Json
}

/** Runs one leg; gives how it ended, what the node has charged by the usual price, and what the store says. */
const run = ({
  after,
  isDiskFull = false,
  maxCredits,
  network = narrowNetwork,
  perHour,
  sent = (answer) => answer,
}: Case) => {
  const warnings: Array<string> = []
  const path = temporaryFolder()
  const folder = { name: "logs", path }
  openFolder(folder)
  const chain = new Chain(60, randomFrom(1), Date.now)
  const key = { backfill: "one", id: 0 }
  const leg = Effect.gen(function* () {
    const store = yield* Store.Store
    const order = { method: method.name, network: network.id, params: "[{}]", from: 0, to: 60 }
    yield* store.create(
      { ...order, id: key.backfill, format: "ndjson", follow: false, maxCredits, perHour },
      { folder: path },
    )
    let calls = 0
    const send = Transport.of({
      send: (request) =>
        Effect.suspend(() => {
          const answer = chain.answer(request)
          const reply = answer instanceof RpcError ? Effect.fail(answer) : Effect.succeed({ result: sent(answer) })
          return Effect.andThen(Effect.ignore(after?.(++calls, store) ?? Effect.void), reply)
        }),
    })
    const client = RpcClient.layer({ networks: [network] }).pipe(
      Layer.provide(CreditBudget.layer()),
      Layer.provide(CreditLedger.layerMemory({ daily: 1e12 })),
      Layer.provide(Layer.succeed(Transport, send)),
    )
    const files = Layer.effect(
      PartFiles,
      Effect.map(PartFiles, (files) =>
        PartFiles.of({
          ...files,
          openSpool: (...args) =>
            Effect.map(files.openSpool(...args), (spool) =>
              isDiskFull
                ? { ...spool, append: () => Effect.fail(new FileProblem({ said: "the disk is full" })) }
                : spool,
            ),
        }),
      ),
    ).pipe(Layer.provide(BackfillFiles.layer(folder)))
    const rest = Layer.mergeAll(
      files,
      client,
      Lanes.layer("worker", 1),
      Layer.succeed(Targets, { find: () => ({ method, network }) }),
    )
    const ended: LegEnd = yield* runLeg(key, 0, { partBytes: 1e9, memory: RangeScan.memoryOfProcess() }).pipe(
      Effect.provide(rest),
    )
    const backfill = yield* store.read(key.backfill)
    const [piece] = yield* store.pieces(key.backfill)
    return {
      ended: ended._tag,
      charged: chain.charged,
      credits: piece?.credits,
      state: backfill?.state,
      why: backfill?.why,
      warnings,
    }
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void warnings.push(String(message)))])))
  const database = Store.layer.pipe(Layer.provide(SqliteFile.layer(join(path, ".backfill", "store.sqlite"))))
  return Effect.runPromise(Effect.provide(leg, database))
}

/** A provider that charges long replies more, so that far more is set aside for a call than it usually costs. */
const byBytes = sheetOf("blockpi")

describe("a leg", () => {
  const dear: Network = { ...narrowNetwork, prices: byBytes }

  it("reads on within a limit though more is set aside for each call than it usually costs", async () => {
    const { charged, ended, state } = await run({ network: dear, maxCredits: 1_000_000 })
    expect({ ended, state }).toEqual({ ended: "Finished", state: "done" })
    expect(charged).toBeGreaterThan(20 * price)
  })

  it("pauses where its limit is less than is set aside for a call", async () => {
    const { charged, ended, state, why } = await run({ network: dear, maxCredits: 1_000 })
    expect({ ended, charged, state }).toEqual({ ended: "Waits", charged: 0, state: "paused" })
    expect(why).toContain("the limit of 1000 credits does not allow another call")
  })

  it("pauses where no hour allows a call, and says so", async () => {
    const { charged, ended, state, why } = await run({ perHour: price - 1 })
    expect({ ended, charged, state }).toEqual({ ended: "Waits", charged: 0, state: "paused" })
    expect(why).toBe(
      `the limit of ${price - 1} credits per hour does not allow a call, for which ${price} are set aside: raise it with dotrpc backfill resume --max-credits-per-hour`,
    )
  })

  it("obeys a limit that it is given while it reads without one", async () => {
    const limit = (call: number, store: Store.Store["Service"]) =>
      call === 2 ? store.limit("one", { maxCredits: 6 * price, perHour: undefined }) : Effect.void
    const { charged, credits, ended, state } = await run({ after: limit })
    expect({ ended, charged, credits, state }).toEqual({
      ended: "Waits",
      charged: 6 * price,
      credits: 6 * price,
      state: "paused",
    })
  })

  it("says once what is unexpected in the results, and keeps them", async () => {
    const { ended, state, warnings } = await run({ sent: (logs) => (Json.isArray(logs) ? null : logs) })
    expect({ ended, state }).toEqual({ ended: "Finished", state: "done" })
    expect(warnings).toEqual(["in results of eth_getLogs: result is null instead of a list: shown as an empty one"])
  })

  it("counts a call whose answer cannot be written", async () => {
    const { charged, credits, ended, state, why } = await run({ isDiskFull: true, maxCredits: 100 * price })
    expect({ ended, state, why }).toEqual({ ended: "Waits", state: "failed", why: "the disk is full" })
    expect(charged).toBeGreaterThan(0)
    expect(credits).toBe(charged)
  })
})

describe("the ends of a backfill", () => {
  const check = (what: string, block: Json.Json, expected: object) =>
    it(what, async () => {
      const client = RpcClient.layer({ networks: [narrowNetwork] }).pipe(
        Layer.provide(Layer.succeed(Transport, { send: () => Effect.succeed({ result: block }) })),
      )
      const found = findEnds({ method, network: narrowNetwork }, [{ fromBlock: "0x1", toBlock: "finalized" }])
      expect(await Effect.runPromise(Effect.provide(found, client))).toEqual(expected)
    })
  check("are read from a block of numbers", { number: 136 }, { from: 1, to: 136 })
  check("are not known where there is no final block", null, {
    problem: "the network does not say which block is finalized: write the number of the last block",
  })
  check("are not known of what is no block", "none", {
    problem: "the network does not say which block is finalized: write the number of the last block",
  })
})
