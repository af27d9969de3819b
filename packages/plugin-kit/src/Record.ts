/**
 * Recording golden files from a real node, which counts, charges and remembers every call.
 *
 * Invariant: no more than `maxCalls` requests are sent, `spacing` apart; and a golden that is returned holds none of the
 * network's secrets.
 */
import { Json, type Network, Options, type Plugin, readText, Redaction, showBytes, Wire } from "@dotrpc/spec"
import { Data, type Duration, Effect, Redacted } from "effect"
import type { Exchange, Golden } from "./Golden.ts"

/** A call to record. */
export interface RecordedCall {
  readonly method: string
  readonly params: Json.Json
  /** What it shows. */
  readonly comment?: string | undefined
}

/** What is recorded, and from which node. */
export interface RecordOptions {
  readonly plugin: Plugin
  /** Where to ask, and whose secrets are kept out of the file. */
  readonly network: Network
  readonly calls: ReadonlyArray<RecordedCall>
  /** How many calls there may be; 10 by default. */
  readonly maxCalls?: number | undefined
  /** How long to wait between two calls; 2 seconds by default. */
  readonly spacing?: Duration.Input | undefined
  /** Sends the text of a request and gives the text of its reply; by default an HTTP POST to the network's `url`. */
  readonly post?: Post | undefined
}

/** Carries a request to a node. */
export type Post = (body: string) => Effect.Effect<string, RecordError>

/**
 * Records calls as a golden file, ready for `printGolden`.
 *
 * Fails with a {@link RecordError} before anything is sent when there are too many calls, or when the plugin would refuse
 * one; and later when the node cannot be reached or a reply is not JSON. Errors of the node are recorded as they are.
 *
 * @example
 * ```ts
 * const golden = yield* record({
 *   plugin: Evm.plugin,
 *   network: defineNetwork({ id: "mainnet", plugin: "evm", url: `https://mainnet.example/v3/${key}` }),
 *   calls: [{ method: "eth_getStorageAt", params: [token, "0x0", "finalized"], comment: "The owner of a token" }],
 * })
 * ```
 */
export const record = Effect.fnUntraced(function* (options: RecordOptions): Effect.fn.Return<Golden, RecordError> {
  const { calls, maxCalls = 10, network, plugin, spacing = "2 seconds" } = options
  yield* Effect.try({
    try: () => [Options.wholeOrZero("maxCalls", maxCalls), Options.millis("spacing", spacing)],
    catch: (error) => refuse(error instanceof Error ? error.message : String(error)),
  })
  if (calls.length > maxCalls)
    return yield* refuse(`${calls.length} calls are more than the ${maxCalls} allowed: nothing was sent`)
  const requests = yield* Effect.forEach(calls, (call, index) => requestOf(plugin, network, call, index + 1))
  const post = options.post ?? postTo(network)
  const exchanges: Array<Exchange> = []
  for (const [index, { body, comment }] of requests.entries()) {
    if (index > 0) yield* Effect.sleep(spacing)
    const text = yield* post(body)
    const reply = yield* Effect.try({
      try: () => Json.parse(text),
      catch: () => new RecordError({ said: `the reply to call ${index + 1} is not JSON` }),
    })
    exchanges.push({
      comments: comment === undefined ? [] : [Redaction.scrub(comment, network.secrets)],
      request: yield* clean(Json.parse(body), network),
      reply: yield* clean(reply, network),
      line: 0,
    })
  }
  return { header: [`network: ${network.id}`], exchanges }
})

/** Why nothing, or no more, was recorded. It never names a URL. */
export class RecordError extends Data.TaggedError("RecordError")<{ readonly said: string }> {
  override get message(): string {
    return this.said
  }
}

const refuse = (said: string) => new RecordError({ said })

const requestOf = Effect.fnUntraced(function* (plugin: Plugin, network: Network, call: RecordedCall, id: number) {
  const method = plugin.methods.find((entry) => entry.name === call.method)
  if (method === undefined) return yield* refuse(`the plugin "${plugin.id}" has no method ${call.method}`)
  const [issue] = method.issues(call.params, network)
  if (issue !== undefined) return yield* refuse(`call ${id}, ${call.method}: ${issue.message}`)
  const { params } = method.prepare(call.params, network)
  return { body: Wire.encodeRequest({ method, network, params }, id), comment: call.comment }
})

const postTo = (network: Network): Post => {
  const { url } = network
  if (url === undefined) return () => Effect.fail(refuse(`network "${network.id}" has no url`))
  return (body) =>
    Effect.tryPromise({
      try: async (signal) => {
        const headers = { "content-type": "application/json" }
        const reply = await fetch(Redacted.value(url), { method: "POST", headers, body, redirect: "error", signal })
        return await textOf(reply)
      },
      // The reason may quote the URL, so it is not passed on.
      catch: (error) =>
        error instanceof RecordError ? error : refuse(`the endpoint of network "${network.id}" did not answer`),
    })
}

/** No longer than a golden file may be. */
const textOf = async ({ body }: Response): Promise<string> => {
  const text = body === null ? "" : await readText(body, largestReply)
  if (text === undefined)
    throw refuse(`a reply is longer than ${showBytes(largestReply)}: ask for less; it was not recorded`)
  return text
}

const largestReply = 16 * 1024 * 1024

/** Secrets out of every string and name; a secret that is left, as digits of a number would be, forbids recording. */
const clean = Effect.fnUntraced(function* (value: Json.Json, network: Network) {
  const cleaned = cleanStrings(value, network)
  const text = Json.stringify(cleaned)
  if (Redaction.scrub(text, network.secrets) !== text)
    return yield* refuse("a number in the exchange contains a secret of the network: it was not recorded")
  return cleaned
})

const cleanStrings = (value: Json.Json, network: Network): Json.Json => {
  if (typeof value === "string") return Redaction.scrub(value, network.secrets)
  if (Json.isArray(value)) return value.map((item) => cleanStrings(item, network))
  if (!Json.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      Redaction.scrub(name, network.secrets),
      cleanStrings(member, network),
    ]),
  )
}
