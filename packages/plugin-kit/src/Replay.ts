/** Asking a golden file's questions again, to see whether the answers are still the same. */
import { type Network, type Plugin, Transport } from "@dotrpc/spec"
import { Effect, Result } from "effect"
import type { Exchange, Golden } from "./Golden.ts"
import { askedBy, networksFor, replyOf } from "./internal/exchanges.ts"
import { sameJson } from "./internal/sameJson.ts"
import { show } from "./internal/show.ts"

/** An exchange that went otherwise than the golden file says. */
export interface Difference {
  readonly exchange: Exchange
  /** What was expected and what came, in one sentence. */
  readonly message: string
}

/** The plugin whose golden files are replayed, and on which network. */
export interface ReplayOptions {
  readonly plugin: Plugin
  /** Where to ask. A comment `// network: ID` chooses among them; the first is asked otherwise. */
  readonly networks: readonly [Network, ...ReadonlyArray<Network>]
}

/**
 * Sends every request of a golden file through a transport, one after the other, and lists what differs: results digit
 * for digit, errors by what they mean and say.
 *
 * @example
 * ```ts
 * const differences = yield* replay(parseGolden(text), { plugin: Evm.plugin, networks: [network] })
 * ```
 */
export const replay = Effect.fnUntraced(function* (
  golden: Golden,
  { networks, plugin }: ReplayOptions,
): Effect.fn.Return<ReadonlyArray<Difference>, never, Transport> {
  const transport = yield* Transport
  const differences: Array<Difference> = []
  for (const exchange of golden.exchanges) {
    const asked = askedBy(golden, exchange, plugin, [...networksFor(plugin, networks), networks[0]])
    const expected = replyOf(exchange, asked)
    const found = yield* Effect.result(transport.send(asked.request))
    const same =
      Result.isSuccess(expected) && Result.isSuccess(found)
        ? sameJson(expected.success.result, found.success.result)
        : describe(expected) === describe(found)
    if (!same) differences.push({ exchange, message: `expected ${describe(expected)}, found ${describe(found)}` })
  }
  return differences
})

const describe = (reply: ReturnType<typeof replyOf>): string =>
  Result.isSuccess(reply)
    ? `the result ${show(reply.success.result)}`
    : `${reply.failure.reason._tag}: ${reply.failure.reason.message}`
