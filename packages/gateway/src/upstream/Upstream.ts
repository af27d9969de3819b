/** A real node behind a network of the gateway: the port, and how it is reached over HTTP. */
import { Json, Redaction } from "@dotrpc/spec"
import { Effect, Redacted } from "effect"
import type { Fault } from "../methods/Fault.ts"

export interface Upstream {
  /**
   * One call. A node's own error comes back as it is; a node that cannot be reached, or does not speak JSON-RPC, is a
   * fault with HTTP status 502. No message holds the node's address.
   */
  readonly call: (method: string, params: Json.Json) => Effect.Effect<Json.Json, Fault>
}

export interface HttpUpstreamOptions {
  /** How long a reply may take, 30,000 by default. */
  readonly timeoutMillis?: number
}

/**
 * A node at an HTTP address, which is posted to exactly as given: no path or key is added.
 *
 * @throws TypeError when the text is not an `http` or `https` address.
 */
export const httpUpstream = (
  address: string | Redacted.Redacted<string>,
  options: HttpUpstreamOptions = {},
): Upstream => {
  const text = Redacted.isRedacted(address) ? Redacted.value(address) : address
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new TypeError("An upstream must be an http:// or https:// address.")
  const secrets = Redaction.secretsOfAddress(text)
  let lastId = 0

  const post = (body: string) =>
    Effect.tryPromise({
      try: async (signal) => {
        const headers = { "content-type": "application/json", accept: "application/json" }
        const reply = await fetch(text, { method: "POST", headers, body, signal })
        return await reply.text()
      },
      catch: () => unreachable,
    })

  return {
    call: (method, params) =>
      Effect.suspend(() => post(Json.stringify({ jsonrpc: "2.0", id: ++lastId, method, params }))).pipe(
        Effect.timeoutOrElse({
          duration: options.timeoutMillis ?? 30_000,
          orElse: () => Effect.fail(unreachable),
        }),
        Effect.flatMap((reply) => readReply(reply, (words) => Redaction.scrub(words, secrets))),
      ),
  }
}

const readReply = (reply: string, scrub: (words: string) => string): Effect.Effect<Json.Json, Fault> =>
  Effect.try({ try: () => Json.parse(reply), catch: () => notJsonRpc }).pipe(
    Effect.flatMap((body) => {
      if (!Json.isObject(body)) return Effect.fail(notJsonRpc)
      const { error, result } = body
      if (Json.isObject(error) && typeof error.code === "number") {
        const message = scrub(typeof error.message === "string" ? error.message : "the node gave no message")
        const data = error.data === undefined ? {} : { data: Json.parse(scrub(Json.stringify(error.data))) }
        return Effect.fail<Fault>({ code: error.code, message, ...data })
      }
      return result === undefined ? Effect.fail(notJsonRpc) : Effect.succeed(result)
    }),
  )

const unreachable: Fault = { code: -32603, message: "the node behind this network did not answer", status: 502 }

const notJsonRpc: Fault = {
  code: -32603,
  message: "the node behind this network answered with something that is not JSON-RPC",
  status: 502,
}
