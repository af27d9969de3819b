/** One round of the law over kills: workers over one store, and a cluster that gives their pieces to others. */
import { type Order, Store } from "@dotrpc/backfill"
import { CreditLedger, SqliteFile } from "@dotrpc/core"
import { Clock, Effect, Fiber, Layer } from "effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFolder } from "../../src/BackfillFiles.ts"
import { Chain, narrowNetwork, network as wideNetwork, price, randomFrom } from "./chain.ts"
import { World } from "./Fate.ts"
import { FatefulWorker, lanes, type Place } from "./FatefulWorker.ts"
import { HandClock } from "./HandClock.ts"
import { Reader } from "./Reader.ts"

/** Thousands of files reach the disk in a round, and none of them has to. */
const inMemory = "/dev/shm"

/** Steps until nothing happens to anyone any more. */
const steps = 700

const head = 300

/** What all workers together may spend, in credits. */
export interface Limits {
  readonly maxCredits?: number | undefined
  readonly perHour?: number | undefined
  readonly daily?: number | undefined
}

/** Whether the calls of a round are so short that its range is divided. */
const isNarrow = (seed: number): boolean => seed % 2 === 1

/** Limits of a round, which differ by its seed. */
export const limitsOf = (seed: number): Limits => {
  const random = randomFrom(seed)
  const kind = random(0, 2)
  if (kind === 0) return {}
  // A narrow range takes three times the calls, and an hour without any of them takes as many steps as one with all.
  const least = isNarrow(seed) ? 20 : 1
  return kind === 1 ? { maxCredits: random(1, 20) * price } : { perHour: random(least, 40) * price }
}

/** Plays one round; gives what was broken. Nothing happens to anyone in one that is calm. */
export const play = (seed: number, { daily = 1e9, maxCredits, perHour }: Limits, isCalm = false) => {
  const clock = new HandClock()
  return Effect.gen(function* () {
    const random = randomFrom(seed)
    const path = mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), "dotrpc-kills-"))
    const folder = { name: "logs", path }
    openFolder(folder)
    const chain = new Chain(head, random, () => clock.currentTimeMillisUnsafe())
    const reader = new Reader(path, chain)
    const world = new World(random, random(20, 120), () => reader.look())
    const database = join(path, ".backfill", "store.sqlite")
    const ledger = yield* Effect.provide(CreditLedger.CreditLedger, CreditLedger.layerMemory({ daily }))
    const network = isNarrow(seed) ? narrowNetwork : wideNetwork
    const place: Place = { world, chain, folder, database, backfill: "one", network, ledger }
    const broken: Array<string> = []
    let divisions = 0
    yield* Effect.gen(function* () {
      const store = yield* Store.Store
      yield* store.create(orderOf({ maxCredits, perHour }), { folder: path })
      let limitNow = maxCredits ?? Infinity
      let before = -1
      let workers: ReadonlyArray<FatefulWorker> = []
      let started = 0
      /** Whom the cluster believes to read a piece. */
      const owners = new Map<number, FatefulWorker>()
      for (;;) {
        if (isCalm || world.steps > steps) world.isCalm = true
        // Where everyone waits, time flies.
        if (world.steps === before) clock.pass(600_000)
        before = world.steps
        clock.pass(500)
        for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
        if (chain.charged > limitNow) broken.push(`charged ${chain.charged} credits of ${limitNow}`)
        const backfill = yield* store.read("one")
        if (backfill?.state === "done" && backfill.manifest === backfill.version) break
        if (backfill?.state === "failed" || reader.problem !== undefined || broken.length > 0) {
          broken.push(backfill?.why ?? "")
          break
        }
        if (backfill?.state === "paused") {
          if (backfill.why !== "") limitNow += random(5, 30) * price
          yield* store.limit("one", { maxCredits: limitNow === Infinity ? undefined : limitNow, perHour: undefined })
          yield* store.change("one", ["paused"], "running", "")
        } else if (!world.isCalm && random(0, 60) === 0) yield* store.change("one", ["running"], "paused", "")
        // One that has lost the database does what it was at, and ends.
        for (const { fate } of workers)
          if (!fate.isConnected && fate.frozen === undefined && random(0, 4) === 0) fate.end()
        workers = workers.filter(({ fate }) => !fate.isDead)
        // One that freezes is taken for dead after a while, and others begin what it had.
        const known = workers.filter(({ fate }) => fate.isConnected && (fate.frozen === undefined || random(0, 3) > 0))
        while (known.filter(({ fate }) => fate.frozen === undefined).length < 2) {
          const worker = yield* FatefulWorker.start(place, `worker-${started++}`)
          known.push(worker)
          workers = [...workers, worker]
        }
        for (const worker of workers) {
          if (worker.fate.frozen === undefined && random(0, 3) === 0) yield* Effect.forkDetach(worker.look)
          // One that wakes up learns in the end that it has lost its pieces.
          for (const [id, fiber] of worker.legs) {
            if (owners.get(id) === worker || worker.fate.frozen !== undefined || random(0, 4) > 0) continue
            worker.legs.delete(id)
            yield* Effect.forkDetach(Fiber.interrupt(fiber))
          }
        }
        for (const { id, state } of yield* store.pieces("one")) {
          const owner = owners.get(id)
          if (state === "done" || (owner !== undefined && known.includes(owner))) continue
          const awake = known.filter(({ fate }) => fate.frozen === undefined)
          const worker = awake[random(0, awake.length - 1)]
          if (worker === undefined) continue
          owners.set(id, worker)
          yield* worker.read(id)
        }
      }
      const found = yield* store.read("one")
      if (reader.problem !== undefined) broken.push(reader.problem)
      else if (broken.length === 0) broken.push(...reader.atTheEnd)
      // One that freezes with a grant may wake up in a later hour, and send a call before it hears that it was replaced.
      const mostPerHour = (perHour ?? Infinity) + world.freezes * lanes * price
      if (chain.mostIn("hour") > mostPerHour) broken.push(`${chain.mostIn("hour")} credits in an hour`)
      if (chain.mostIn("day") > daily) broken.push(`${chain.mostIn("day")} credits in a day`)
      divisions = found?.divisions ?? 0
      const twice = chain.paidTwice()
      const most = (world.kills + world.freezes) * lanes + divisions
      if (twice > most) broken.push(`${twice} answers were paid for twice, expected ${most} at most`)
      for (const { fate } of workers) fate.end()
    }).pipe(Effect.provide(Store.layer.pipe(Layer.provide(SqliteFile.layer(database)), Layer.orDie)), Effect.scoped)
    rmSync(path, { recursive: true, force: true })
    return {
      broken,
      kills: world.kills,
      freezes: world.freezes,
      steps: world.steps,
      divisions,
      twice: chain.paidTwice(),
      calls: chain.charged / price,
      days: [...chain.chargedIn.keys()].filter((span) => span.startsWith("day")).length,
    }
  }).pipe(Effect.provideService(Clock.Clock, clock))
}

const orderOf = (limits: Limits): Order => ({
  id: "one",
  method: "eth_getLogs",
  network: wideNetwork.id,
  params: `[{"fromBlock":"0x0","toBlock":"0x${head.toString(16)}"}]`,
  from: 0,
  to: head,
  format: "ndjson",
  follow: false,
  ...limits,
})
