/** The tools that read a range of blocks: `scan_plan` and `scan`. */
import { networkUses } from "@dotrpc/analysis"
import { CreditBudget, RangeScan } from "@dotrpc/core"
import { refusedBy } from "@dotrpc/project"
import { CurrentNetwork, Json, type RpcError } from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { paramsOf, targetOf, usage } from "../commands/scanTarget.ts"
import { userScans } from "../UserData.ts"
import type { Agent } from "./Agent.ts"
import { type CallAsked, expectNetwork, free } from "./requests.ts"

/** A scan ends where it has read so much: an agent reads pages, and a file takes more. */
const mostCharacters = 32_000_000

export const scanPlan = Effect.fnUntraced(function* (agent: Agent, asked: CallAsked) {
  const { estimate, network } = yield* planned(agent, asked)
  const { assumption, calls, credits, range } = estimate
  const band = ({ high, likely, low }: RangeScan.Band) => ({
    p10: low ?? null,
    likely: likely ?? null,
    p90: high ?? null,
  })
  const body = {
    method: asked.method,
    network: network.id,
    blocks: range === undefined ? null : { from: range.from, to: range.to },
    calls: band(calls),
    price: { min: credits.min, max: credits.max ?? null },
    assumed: assumption,
  }
  return free({ body }, network)
})

export const scan = Effect.fnUntraced(function* (agent: Agent, asked: CallAsked) {
  const { estimate, memory, method, network, params } = yield* planned(agent, asked)
  const words = `scan ${asked.method} on ${network.id}`
  const allowance = yield* agent.purse.open({ words, price: estimate.credits, network })
  const rows: Array<Json.Json> = []
  let characters = 0
  const take = ({ items }: RangeScan.Part) => {
    for (const item of items) {
      rows.push(item)
      characters += Json.stringifyStart(item, 10_000).length
    }
    return characters > mostCharacters
  }
  const error = yield* RangeScan.parts(method, params, { memory }).pipe(
    Stream.takeUntil(take),
    Stream.runDrain,
    CreditBudget.withAllowance(allowance),
    Effect.provideService(CurrentNetwork, network),
    agent.inRuntime,
    Effect.as(undefined),
    Effect.catch((failed) => Effect.succeed(failed)),
    // What was paid for can be read later.
    Effect.onInterrupt(() => Effect.sync(() => void (rows.length > 0 && agent.results.keep(rows)))),
  )
  const ended =
    error !== undefined
      ? { status: "stopped", error: errorJson(error) }
      : characters > mostCharacters
        ? {
            status: "stopped",
            note: "the scan is too long for an answer: ask for fewer blocks, or use dotrpc scan --output",
          }
        : { status: "ok" }
  return {
    answer: {
      body: { method: asked.method, network: network.id, ...ended, items: rows.length, calls: allowance.calls },
      result: { value: rows, rows },
      isError: error !== undefined,
    },
    spent: allowance.spent,
    network,
  }
})

/** What would be read, and what that is likely to cost; nothing is sent. */
const planned = Effect.fnUntraced(function* (
  agent: Agent,
  { method: name, network: id, params: given = [] }: CallAsked,
) {
  if (id !== undefined) yield* expectNetwork(agent, id)
  const { entry, method, network } = yield* targetOf(agent.project, name, id)
  const [refused] = refusedBy(agent.gate, networkUses(entry))
  if (refused !== undefined) return yield* usage(refused)
  const params = yield* paramsOf(method, network, Json.stringify(given))
  const memory = userScans(agent.host)
  const estimate = yield* RangeScan.estimate(method, params, { memory }).pipe(
    Effect.provideService(CurrentNetwork, network),
    agent.inRuntime,
    Effect.mapError((error) => usage(error.message, error.advice)),
  )
  return { method, network, params, memory, estimate }
})

const errorJson = ({ advice, code, message, reason }: RpcError): Json.JsonObject => ({
  code,
  reason: reason._tag,
  message,
  advice,
})
