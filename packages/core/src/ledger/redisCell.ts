/** A text on a Redis server, which every machine of a team shares. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { RedisConnection } from "./redisConnection.ts"
import type { Cell } from "./cell.ts"
import type { Window } from "./window.ts"

export const makeRedisCell = (
  connection: RedisConnection,
  key: string,
  window: Window,
  words: Partial<Pick<Cell, "name" | "repair">> = {},
): Cell => {
  const seconds = window.kind === "none" ? 0 : secondsKept
  return {
    name: `the credit ledger ${key} on the Redis server`,
    ...words,
    update: (change) =>
      connection.ask(async (client) => {
        const ask = async (...values: ReadonlyArray<string | number>) => {
          const [swapped, text, now] = decodeReply(await client.eval(swap, 1, key, ...values))
          return { isSwapped: swapped === 1, seen: { text: text === "" ? undefined : text, now: Number(now) } }
        }
        let { seen } = await ask()
        for (let attempt = 0; attempt < mostAttempts; attempt++) {
          const { answer, text } = change(seen)
          if (text === undefined) return answer
          const reply = await ask(seen.text ?? "", text, seconds)
          if (reply.isSwapped) return answer
          seen = reply.seen
        }
        throw new Error("others keep changing the ledger")
      }),
    close: Effect.promise(connection.close),
  }
}

/**
 * ARGV: the text that was seen, or "" for none, the one that replaces it if it still is there, and for how many seconds it is kept,
 * or 0; without them nothing is replaced. Replies with whether it was replaced, the text that was there, and what time it is.
 */
const swap = `
local text, time = redis.call("GET", KEYS[1]) or "", redis.call("TIME")
local now = string.format("%d", time[1] * 1000 + math.floor(time[2] / 1000))
if ARGV[1] ~= text then return { 0, text, now } end
if ARGV[3] == "0" then redis.call("SET", KEYS[1], ARGV[2]) else redis.call("SET", KEYS[1], ARGV[2], "EX", ARGV[3]) end
return { 1, text, now }
`

const decodeReply = Schema.decodeUnknownSync(Schema.Tuple([Schema.Number, Schema.String, Schema.String]))

/** A ledger that nobody uses is forgotten after some more than a year. */
const secondsKept = 400 * 86_400

/** Each time one of those who change it at once succeeds. */
const mostAttempts = 1_000
