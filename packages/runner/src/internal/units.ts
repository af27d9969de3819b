/** Reads the units that `# @units` names: from memory, or by calls that are paid from the request's own limits. */
import type { BoundRequest } from "@dotrpc/analysis"
import {
  forgiving,
  type Json,
  type Network,
  Redaction,
  RpcClient,
  type RpcError,
  Table,
  type TokenUnits,
} from "@dotrpc/spec"
import { Effect, Result } from "effect"
import { unitsKey, type UnitsMemory } from "../UnitsMemory.ts"

export interface FoundUnits {
  readonly units?: TokenUnits | undefined
  /** What a reader should know about the amounts, in words. */
  readonly note?: string | undefined
}

/** Never fails: without units an amount is shown as it is, and the note says why. */
export const readUnits = (
  { token, reader }: NonNullable<BoundRequest["units"]>,
  network: Network,
  given: UnitsMemory,
  inContext: <A>(call: Effect.Effect<A, RpcError, RpcClient>) => Effect.Effect<A, RpcError, RpcClient>,
): Effect.Effect<FoundUnits, never, RpcClient> =>
  Effect.gen(function* () {
    const key = unitsKey(network, token)
    const memory = forgiving(given)
    const known = yield* memory.read(key)
    // Another program may have written the file: an entry for another token is not used.
    if (known !== undefined && known.token === token) return { units: known, note: wordsOf(known) }
    const results = yield* Effect.all(
      reader
        .calls(token)
        .map(({ method, params }) => Effect.result(inContext(RpcClient.call(method, params) as Call<Json.Json>))),
      { concurrency: "unbounded" },
    )
    const answers: Array<Json.Json | undefined> = []
    for (const result of results) {
      if (Result.isFailure(result) && result.failure.reason._tag !== "Rejected")
        return { note: unread(token, Redaction.scrub(result.failure.reason.message, network.secrets)) }
      answers.push(Result.isSuccess(result) ? result.success : undefined)
    }
    const reading = reader.read(token, answers)
    if ("problem" in reading) return { note: unread(token, reading.problem) }
    yield* memory.write(key, reading.units)
    return { units: reading.units, note: [wordsOf(reading.units), reading.note].filter(isText).join("; ") }
  }).pipe(Effect.catchDefect((defect) => Effect.succeed({ note: unread(token, messageOf(defect)) })))

type Call<A> = Effect.Effect<A, RpcError, RpcClient>

const isText = (text: string | undefined): text is string => text !== undefined

/** Two tokens may have one symbol, so the token itself is named. */
const wordsOf = ({ decimals, symbol, token }: TokenUnits): string =>
  `amounts in ${symbol ?? "units"} of ${Table.shorten(token)}, ${decimals} ${decimals === 1 ? "decimal" : "decimals"}`

const unread = (token: string, why: string): string =>
  `amounts are shown without units: the units of ${Table.shorten(token)} could not be read: ${why}`

const messageOf = (defect: unknown): string => (defect instanceof Error ? defect.message : String(defect))
