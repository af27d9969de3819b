/** The numbers of tags that two networks are to answer about the same block for: each tag is looked up once in a run. */
import { type Comparison, pinKey, pinnedTags, tagOn } from "@dotrpc/analysis"
import { type BlockLookUp, type Json, type Method, type Network, RpcError, RpcReason } from "@dotrpc/spec"
import { Effect, Result, Semaphore } from "effect"

/** The lookups of one run. */
export interface Pins {
  readonly known: Map<string, number>
  /** One request looks up at a time, so that another one can use what it finds. */
  readonly line: Semaphore.Semaphore
}

export const makePins = (): Pins => ({ known: new Map(), line: Semaphore.makeUnsafe(1) })

/** Makes a lookup on one of the networks, paid for by its side of the comparison. */
export type LookUp<R> = (side: "left" | "right", way: BlockLookUp) => Effect.Effect<Json.Json, RpcError, R>

/** The numbers by their tags, or which side could not give one. */
export type Pinned =
  | { readonly _tag: "Pinned"; readonly numbers: ReadonlyMap<string, number> }
  | {
      readonly _tag: "Failed"
      readonly side: "left" | "right"
      readonly error: RpcError
      readonly own: ReadonlyMap<string, number>
    }

export const pinTags = <R>(
  {
    compare,
    index,
    method,
    network,
    params,
    pins,
  }: {
    readonly compare: Comparison
    readonly index: number
    readonly method: Method
    readonly network: Network
    readonly params: Json.Json
    readonly pins: Pins
  },
  lookUp: LookUp<R>,
): Effect.Effect<Pinned, never, R> =>
  Effect.gen(function* () {
    const networks = [network, compare.network] as const
    const numbers = new Map<string, number>()
    for (const tag of pinnedTags(compare.pinning, method, params).pinned) {
      const key = pinKey(networks, tag, { index })
      const known = pins.known.get(key)
      if (known !== undefined) {
        numbers.set(tag, known)
        continue
      }
      const found: Array<number> = []
      for (const [side, on] of [
        ["left", network],
        ["right", compare.network],
      ] as const) {
        const way = compare.pinning?.lookUp(tagOn(tag, on))
        if (way === undefined) continue
        const block = yield* Effect.result(numberOf(way, on, lookUp(side, way)))
        // The call is still of use on the network that answered.
        if (Result.isFailure(block))
          return {
            _tag: "Failed",
            side,
            error: block.failure,
            own: new Map([...numbers, ...found.map((one) => [tag, one] as const)]),
          }
        found.push(block.success)
      }
      // The older one: that is the block that both have.
      const pinned = found.reduce((oldest, block) => Math.min(oldest, block), Infinity)
      if (pinned === Infinity) continue
      pins.known.set(key, pinned)
      numbers.set(tag, pinned)
    }
    return { _tag: "Pinned", numbers }
  }).pipe(pins.line.withPermits(1)) as Effect.Effect<Pinned, never, R>

const numberOf = <R>(
  { method, read }: BlockLookUp,
  { id }: Network,
  answer: Effect.Effect<Json.Json, RpcError, R>,
): Effect.Effect<number, RpcError, R> =>
  Effect.flatMap(answer, (result) => {
    const number = read(result)?.number
    if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return Effect.succeed(number)
    const reason = new RpcReason.Malformed({ said: `the server sent a block without a number for ${method.name}` })
    return Effect.fail(new RpcError({ method: method.name, network: id, reason, outcome: "ok" }))
  })
