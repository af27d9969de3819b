/**
 * Processes that share a balance, in a file or on a Redis server, and call a server that charges them. Some are killed, some have
 * wrong clocks, and the file is harmed; where nobody knows any more what was spent, the user sets what the server has charged. In the end
 * the ledger is compared with what the server charged.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { CreditLedger } from "@dotrpc/core"
import { Effect } from "effect"
import type { Random } from "../Random.ts"
import type { Round, Suite } from "../Suite.ts"
import { type CountingServer, startCountingServer } from "./CountingServer.ts"
import { damages, harms } from "./harms.ts"
import { type Place, settledBalance } from "./Place.ts"
import { startRedis } from "@dotrpc/redis"
import { makeSpenders, type Spender, type Spenders, type Work } from "./Spender.ts"

export const openLedgers = async (): Promise<Suite> => {
  const [server, redis] = await Promise.all([startCountingServer(), startRedis()])
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-chaos-"))
  const spenders = makeSpenders()
  return {
    round: (number, random) => {
      const place: Place =
        number % 2 === 0
          ? { kind: "file", path: join(folder, `${number}`, "credits.json") }
          : { kind: "redis", url: redis.url, prefix: `round-${number}` }
      return playRound(random, place, { server, spenders, name: `${number}` })
    },
    close: async () => {
      spenders.killAll()
      await Promise.all([server.close(), redis.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of a call, unless a part of it is charged. */
const price = 80

/** What a round has to work with. */
interface Room {
  readonly server: CountingServer
  readonly spenders: Spenders
  readonly name: string
}

const playRound = async (random: Random, place: Place, { name: round, server, spenders }: Room): Promise<Round> => {
  const atOnce = random.oneOf([1, 1, 4, 80])
  const daily = random.oneOf([40_000, 100_000_000])
  // What a killed process was charged less for one of its last calls looks like a call on top.
  const inParts = random.isTrue(0.3)
  const work: Omit<Work, "name"> = { server: server.url, place, daily, price, inParts, atOnce }
  let started = 0
  const start = (): Spender => spenders.start({ ...work, name: `${round}-${started++}` })
  const charged = () =>
    Array.from({ length: started }, (_, index) => server.chargedTo(`${round}-${index}`)).reduce(
      (sum, { calls, credits }) => ({ calls: sum.calls + calls, credits: sum.credits + credits }),
      { calls: 0, credits: 0 },
    )
  const live = Array.from({ length: random.between(2, 3) }, start)
  // Before the first call there is nothing to lose.
  await Promise.race(live.map(({ name }) => server.reached(name, 1)))
  const wrong = new Set<Spender>()
  const done = { kills: 0, clocks: 0, harms: 0, sets: 0 }
  const events: Array<string> = []

  for (let event = random.between(3, 7); event > 0; event--) {
    const index = random.between(0, live.length - 1)
    const one = live[index]
    if (one === undefined) break
    // One that finds nothing left is not waited for.
    const calls = server.chargedTo(one.name).calls + random.between(1, 60 * atOnce)
    await Promise.race([server.reached(one.name, calls), wait(400)])
    const what = random.next()
    if (what < 0.45) {
      events.push(`${one.name} is killed`)
      one.kill()
      done.kills++
      live[index] = start()
    } else if (what < 0.75 || place.kind === "redis") {
      const wrongDays = wrong.delete(one) ? 0 : random.oneOf([10, 40, 70, -1, -10])
      if (wrongDays !== 0) wrong.add(one)
      one.order({ wrongDays })
      events.push(`the clock of ${one.name} is wrong by ${wrongDays} days`)
      done.clocks++
    } else {
      const damage = random.isTrue(0.6)
      const all = [...(damage ? damages : harms)]
      const [name, harm] = all[random.between(0, all.length - 1)] ?? []
      harm?.(place.path, random)
      events.push(`${name}`)
      done.harms++
      if (damage) {
        await wait(random.between(0, 300))
        await Effect.runPromise(CreditLedger.setSpentInFile(place.path, charged().credits))
        done.sets++
      }
    }
  }

  for (const one of live) one.order({ stop: true })
  await Promise.all(live.map(({ ended }) => ended))
  return roundOf(await settledBalance(place, daily), charged(), {
    ...done,
    atOnce,
    daily,
    events,
    inParts,
    live,
    place,
  })
}

interface Played {
  readonly kills: number
  readonly clocks: number
  readonly harms: number
  readonly sets: number
  readonly atOnce: number
  readonly daily: number
  readonly events: ReadonlyArray<string>
  readonly inParts: boolean
  readonly live: ReadonlyArray<Spender>
  readonly place: Place
}

/** Compares what the ledger says with what the server charged. */
const roundOf = (
  { reserved, spent }: { readonly reserved: number; readonly spent: number },
  { calls, credits: truth }: { readonly calls: number; readonly credits: number },
  { atOnce, clocks, daily, events, harms, inParts, kills, live, place, sets }: Played,
): Round => {
  const over = (spent - truth) / price
  // Those that the process was about to send, and its lease for others, were not read by the server.
  // What the user sets may be known to processes that have yet to write it down.
  const mostOver = kills * (atOnce + 16) + sets * live.length * 2 * (atOnce + 16)
  const broken = [
    ...(over < 0 ? [`the server charged ${truth}, and the ledger says ${spent}`] : []),
    ...(truth > daily + sets * live.length * (atOnce + 16) * price
      ? [`the server charged ${truth} of a limit of ${daily}`]
      : []),
    ...(over > mostOver ? [`the ledger says ${over} calls more than the server after ${kills} kills`] : []),
    ...(reserved > 0 ? [`${reserved} credits stayed reserved`] : []),
  ]
  const row = `${place.kind === "file" ? "a file" : "a Redis server"}, ${atOnce} ${atOnce === 1 ? "call" : "calls"} in flight${inParts ? ", some of them cheaper" : ""}`
  return {
    row,
    figures: {
      calls,
      kills,
      "wrong clocks": clocks,
      "files harmed": harms,
      "credits charged": truth,
      "calls counted on top": over,
      "most on top, per kill": kills === 0 ? 0 : over / kills,
    },
    events,
    broken,
  }
}
