/**
 * A method as a network of the gateway answers it. Whether params are right is decided by the plugin's own schema and
 * rules, the same that a client checks before it sends; errors have the messages of a node.
 */
import { inTurns, Json, type Method, type Network, type ParamIssue, Price, showPath } from "@dotrpc/spec"
import { Effect, Result, SchemaParser } from "effect"
import type { MadeInSteps } from "../internal/madeInSteps.ts"
import { type Fault, invalidParams } from "./Fault.ts"
import type { Subscriber } from "./Subscriber.ts"

export interface ServedMethod {
  /** The name under which it is counted, whatever word the caller used. */
  readonly name: string
  readonly credits: number
  readonly settle: Price.SettlePolicy
  /** `subscriber` is the connection that it came over, where events can be sent to that. */
  readonly call: (params: Json.Json | undefined, subscriber?: Subscriber) => Effect.Effect<Json.Json, Fault>
}

/** How one method of a plugin is answered from a store. */
export interface MethodAnswer<Params, Value> extends CheckedMethod<Params, Value> {
  readonly answer: (params: Params) => Result.Result<Value, Fault>
}

/** How one method of a plugin is answered by work that takes a while. */
export interface MethodRun<Params, Value> extends CheckedMethod<Params, Value> {
  readonly run: (params: Params) => Effect.Effect<Value, Fault>
}

interface CheckedMethod<Params, Value> {
  readonly method: Method<Params, Value>
  readonly network: Network
  /** Leaves out what a node ignores, so that it is not checked. */
  readonly ignore?: (params: Json.Json) => Json.Json
  /** A node's words for params that the method refuses; `undefined` leaves it to the plugin's phrase. */
  readonly explain?: (params: Json.Json) => Fault | undefined
  /** What takes long to make, and is made in steps before the first answer. */
  readonly needs?: MadeInSteps<object> | undefined
}

/** Serves a method of a plugin: its params are checked, its price is the plugin's. */
export const serveMethod = <Params, Value>({ answer, ...served }: MethodAnswer<Params, Value>): ServedMethod =>
  serveRun({ ...served, run: (params) => Effect.fromResult(answer(params)) })

/** As {@link serveMethod}, for work that takes a while. */
export const serveRun = <Params, Value>(served: MethodRun<Params, Value>): ServedMethod => {
  const { explain, ignore, method, needs, network, run } = served
  // Decoding leaves out members the schema does not know: a node ignores them too.
  const decode = SchemaParser.decodeUnknownResult(method.params)
  // How old a block may be is for the answer to say, which knows the head; a client can only tell the plainest cases.
  const { historyDepth: _, ...ofAnyAge } = network
  return {
    ...priced(method, network),
    call: (sent) =>
      Effect.suspend(() => {
        const params = ignore === undefined ? (sent ?? []) : ignore(sent ?? [])
        const known = decode(params)
        const [issue] = method.issues(Result.isSuccess(known) ? (known.success as Json.Json) : params, ofAnyAge)
        if (Result.isFailure(known) || issue !== undefined)
          return Effect.fail(explain?.(params) ?? invalidParams(issue === undefined ? "invalid params" : phrase(issue)))
        const answered = Effect.suspend(() => run(known.success) as Effect.Effect<Json.Json, Fault>)
        return needs === undefined || needs.isMade() ? answered : Effect.andThen(inTurns(needs.making), answered)
      }),
  }
}

/** What a method of a plugin costs on a network, and how it is settled. */
export const priced = (method: Method, network: Network): Omit<ServedMethod, "call"> => ({
  name: method.name,
  credits: Price.priceOf(method, network).credits,
  settle: method.settle,
})

const phrase = (issue: ParamIssue): string => `invalid params: ${showPath(issue.path)}: ${issue.message}`

/** An object without its null members, which mean the same as absent ones to most nodes. */
export const withoutNulls = (value: Json.Json): Json.Json =>
  Json.isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value
