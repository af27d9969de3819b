/**
 * Processes that share a balance, in a file or on a Redis server, and call a server that charges them. Some are killed, some have
 * wrong clocks, and the file is harmed. In the end the ledger is compared with what the server charged.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Random } from "../Random.ts"
import type { Round, Suite } from "../Suite.ts"
import { type CountingServer, startCountingServer } from "./CountingServer.ts"
import { harms } from "./harms.ts"
import { type Place, settledBalance, takeStep } from "./Place.ts"
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
          ? { kind: "file", path: join(folder, `${number}`, "credits.sqlite") }
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
  const live = Array.from({ length: random.between(2, 3) }, start)
  // Before the first call there is nothing to lose.
  await Promise.race(live.map(({ name }) => server.reached(name, 1)))
  const wrong = new Set<Spender>()
  const done = { kills: 0, clocks: 0, harms: 0 }
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
      one.tell({ wrongDays })
      events.push(`the clock of ${one.name} is wrong by ${wrongDays} days`)
      done.clocks++
    } else {
      const [name, harm] = [...harms][random.between(0, harms.size - 1)] ?? []
      harm?.(place.path, random)
      events.push(`${name}`)
      done.harms++
      // The next step of any process restores what it finds. Harming the other copy before that would be too much.
      await takeStep(place, daily)
    }
  }

  for (const one of live) one.tell({ stop: true })
  await Promise.all(live.map(({ ended }) => ended))
  const { reserved, spent } = await settledBalance(place, daily)
  const all = Array.from({ length: started }, (_, index) => server.chargedTo(`${round}-${index}`))
  const truth = all.reduce((sum, { credits }) => sum + credits, 0)
  const over = (spent - truth) / price
  // Those that the process was about to send, or had credits coming for, were not read by the server.
  const mostOver = done.kills * (atOnce + 2)
  const broken = [
    ...(over < 0 ? [`the server charged ${truth}, and the ledger says ${spent}`] : []),
    ...(truth > daily ? [`the server charged ${truth} of a limit of ${daily}`] : []),
    ...(over > mostOver ? [`the ledger says ${over} calls more than the server after ${done.kills} kills`] : []),
    ...(reserved > 0 ? [`${reserved} credits stayed reserved`] : []),
  ]
  const calls = all.reduce((sum, one) => sum + one.calls, 0)
  const row = `${place.kind === "file" ? "a file" : "a Redis server"}, ${atOnce} ${atOnce === 1 ? "call" : "calls"} in flight${inParts ? ", some of them cheaper" : ""}`
  return {
    row,
    figures: {
      calls,
      kills: done.kills,
      "wrong clocks": done.clocks,
      "files harmed": done.harms,
      "credits charged": truth,
      "calls counted on top": over,
      "most on top, per kill": done.kills === 0 ? 0 : over / done.kills,
    },
    events,
    broken,
  }
}
