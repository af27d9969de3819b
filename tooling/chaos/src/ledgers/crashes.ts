/**
 * A crash loop over Redis: one process after another is killed after a few calls or after thousands, at any moment, while another
 * one works, and some are stopped for longer than their lease lasts and resume. In the end the ledger is compared with what the
 * server charged.
 */
import { setTimeout as wait } from "node:timers/promises"
import { startRedis } from "@dotrpc/redis"
import type { Random } from "../Random.ts"
import type { Round, Suite } from "../Suite.ts"
import { type CountingServer, startCountingServer } from "./CountingServer.ts"
import { type Place, settledBalance } from "./Place.ts"
import { makeSpenders, type Spender, type Spenders } from "./Spender.ts"

export const openCrashes = async (): Promise<Suite> => {
  const [server, redis] = await Promise.all([startCountingServer(), startRedis()])
  const spenders = makeSpenders()
  return {
    round: (number, random) => {
      const place: Place = { kind: "redis", url: redis.url, prefix: `round-${number}` }
      return playRound(random, place, { server, spenders, name: `${number}` })
    },
    close: async () => {
      spenders.killAll()
      await Promise.all([server.close(), redis.stop()])
    },
  }
}

const price = 80
const daily = 1_000_000_000

/** A process is stopped for longer than its lease of 2 seconds, and the second after which others may settle that. */
const longerThanLease = 3_200

/** What a round has to work with. */
interface Room {
  readonly server: CountingServer
  readonly spenders: Spenders
  readonly name: string
}

const playRound = async (random: Random, place: Place, { name: round, server, spenders }: Room): Promise<Round> => {
  const atOnce = random.oneOf([1, 4, 80])
  const names: Array<string> = []
  const start = (): Spender => {
    const name = `${round}-${names.length}`
    names.push(name)
    return spenders.start({ name, server: server.url, place, daily, price, inParts: false, atOnce })
  }
  const events: Array<string> = []
  const done = { kills: 0, stops: 0 }
  let one = start()
  for (let life = random.between(5, 9); life > 0; life--) {
    const calls = random.oneOf([1, random.between(1, 5), random.between(500, 4_000)])
    await server.reached(one.name, calls)
    await wait(random.between(0, 3))
    if (random.isTrue(0.15)) {
      events.push(`${one.name} is stopped after ${calls} calls and resumes`)
      one.pause()
      const other = start()
      await Promise.all([wait(longerThanLease), server.reached(other.name, 10)])
      other.order({ stop: true })
      await other.ended
      one.resume()
      done.stops++
      await server.reached(one.name, server.chargedTo(one.name).calls + random.between(1, 100))
    }
    events.push(`${one.name} is killed after ${calls} calls`)
    one.kill()
    done.kills++
    await one.ended
    one = start()
  }
  await server.reached(one.name, 1)
  one.order({ stop: true })
  await one.ended
  const { reserved, spent } = await settledBalance(place, daily)
  const all = names.map(server.chargedTo)
  const truth = all.reduce((sum, { credits }) => sum + credits, 0)
  const over = (spent - truth) / price
  // Those that were being made, and the lease for others.
  const mostOver = done.kills * (atOnce + 16)
  return {
    row: `${atOnce} ${atOnce === 1 ? "call" : "calls"} in flight`,
    figures: {
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      kills: done.kills,
      stops: done.stops,
      "credits charged": truth,
      "calls counted on top": over,
      "most on top, per kill": over / done.kills,
    },
    events,
    broken: [
      ...(over < 0 ? [`the server charged ${truth}, and the ledger says ${spent}`] : []),
      ...(over > mostOver ? [`the ledger says ${over} calls more than the server after ${done.kills} kills`] : []),
      ...(reserved > 0 ? [`${reserved} credits stayed reserved`] : []),
    ],
  }
}
