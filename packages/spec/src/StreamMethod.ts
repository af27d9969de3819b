/**
 * A method whose call opens a subscription, as a request of a file names it: its result is the array of the events. The method that
 * opens a subscription for a script, whose result is an id, is `Subscription.open`.
 */
import * as Schema from "effect/Schema"
import type { Json } from "./Json.ts"
import { defineMethod } from "./MethodDefinition.ts"
import type { Method } from "./Method.ts"
import { nearest } from "./Params.ts"
import type { ParamIssue, WireSchema } from "./Params.ts"
import type { Subscription } from "./Subscription.ts"
import { tableOf } from "./Table.ts"

/** A method that opens one of several subscriptions; its params say which. */
export interface StreamMethod extends Method<unknown, ReadonlyArray<unknown>> {
  readonly subscriptions: ReadonlyArray<Subscription>
  /** What opens a subscription that is none of these; without it they are the only ones. */
  readonly other?: Subscription | undefined
}

/** Whether calls of a method open subscriptions. */
export const isStream = (method: Method): method is StreamMethod => "subscriptions" in method

/** The subscription that params open; `undefined` when they fit none. */
export const subscriptionIn = ({ other, subscriptions }: StreamMethod, params: Json): Subscription | undefined => {
  const [first] = Array.isArray(params) ? (params as ReadonlyArray<Json>) : []
  // What is wrong with the other params is a question for the subscription that they name.
  const isNamed = ({ open }: Subscription) =>
    first !== undefined &&
    open.examples.some(({ params: example }) => Array.isArray(example) && (example as ReadonlyArray<Json>)[0] === first)
  return subscriptions.length === 1 ? subscriptions[0] : (subscriptions.find(isNamed) ?? other)
}

/** One method for each that opens subscriptions. */
export const streamMethods = (subscriptions: ReadonlyArray<Subscription>): ReadonlyArray<StreamMethod> =>
  [...new Set(subscriptions.map(({ open }) => open.name))].map((name) =>
    streamMethod(subscriptions.filter(({ open }) => open.name === name)),
  )

const streamMethod = (subscriptions: ReadonlyArray<Subscription>): StreamMethod => {
  const [{ open, plugin } = raise()] = subscriptions
  const opens = subscriptions.map((subscription) => subscription.open)
  const longest = opens.reduce((left, right) => (right.positions.length > left.positions.length ? right : left))
  const dearest = opens.reduce((left, right) => (right.price.credits > left.price.credits ? right : left))
  const method = defineMethod({
    plugin,
    name: open.name,
    summary: `A stream of events: ${subscriptions.map(({ name }) => name).join(", ")}`,
    docs: [
      "Listens over a WebSocket, until `# @for` or `# @limit` ends it. The result is the array of the events.",
      ...subscriptions.map(({ name, open: { docs }, summary }) => `**${name}.** ${summary}.\n\n${docs}`),
    ].join("\n\n"),
    positions: longest.positions,
    params: unionOf(opens.map(({ params }) => params)),
    result: Schema.Array(unionOf(subscriptions.map(({ item }) => item))),
    price: dearest.price,
    settle: open.settle,
    idempotent: true,
    examples: opens.flatMap(({ examples }) => examples),
    render: (events, limit, context) => {
      const [first] = events
      const own =
        first === undefined ? undefined : subscriptions.find(({ itemIssue }) => itemIssue(first as Json) === undefined)
      if (own?.render !== undefined) return own.render(events as Json, limit, context)
      return { ...tableOf(events as Json, limit, context), noun: ["event", "events"] }
    },
  })
  const stream: StreamMethod = {
    ...method,
    subscriptions,
    issues: (params, network) =>
      subscriptionIn(stream, params)?.open.issues(params, network) ??
      [...unknownName(stream, params), ...method.issues(params, network)].slice(0, 1),
    warnings: (params, network) => subscriptionIn(stream, params)?.open.warnings?.(params, network) ?? [],
  }
  return stream
}

/** Of params that name none of the subscriptions. */
const unknownName = ({ subscriptions }: StreamMethod, params: Json): ReadonlyArray<ParamIssue> => {
  const [name] = Array.isArray(params) ? (params as ReadonlyArray<Json>) : []
  if (typeof name !== "string") return []
  const names = subscriptions.map((subscription) => subscription.name)
  const expected = names.map((known) => `"${known}"`).join(", ")
  const meant = nearest(name, names)
  const shown = JSON.stringify(name.slice(0, 100))
  return [
    {
      path: [0],
      message: `expected one of ${expected}, found ${shown}`,
      replaceWith: meant,
    },
  ]
}

const unionOf = (schemas: ReadonlyArray<WireSchema<unknown>>): WireSchema<unknown> => {
  const [first, ...others] = schemas
  return first !== undefined && others.length === 0 ? first : Schema.Union(schemas)
}

const raise = (): never => {
  throw new TypeError("A stream method has no subscription.")
}
