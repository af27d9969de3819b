/**
 * A real node behind a network of the gateway: the port, and how it is reached over HTTP.
 *
 * Invariants: what a caller sent goes to the configured URL and to no other, whatever the node answers. Nothing that
 * comes from there, whether a result or an error, contains the URL or its key.
 */
import { atOnce, type BodyLimits, inTurns, Json, Options, readBody, Redaction, type ReplyBody } from "@dotrpc/spec"
import { Effect, Redacted, Result } from "effect"
import { busy, type Fault } from "../methods/Fault.ts"
import { notJsonRpc, readingNodeReply } from "./readNodeReply.ts"

/** A real node that answers calls of the gateway. */
export interface Upstream {
  /**
   * One call. A node's own error comes back as it is; a node that cannot be reached, or does not speak JSON-RPC, is a
   * fault with HTTP status 502. No message holds the node's URL.
   */
  readonly call: (method: string, params: Json.Json) => Effect.Effect<Json.Json, Fault>
}

/** What is masked in the replies of a node. */
export interface HttpUpstreamOptions {
  /** Private values that the URL was made of. They are masked in replies, as its path and its query are anyway. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted<string>> | undefined
  /** How long a reply may take, 30,000 by default. */
  readonly timeoutMillis?: number | undefined
  /** The largest reply in bytes, 64 MiB by default. The replies that are read at a time may have four times as many. */
  readonly replyLimit?: number | undefined
}

/**
 * A node at an HTTP URL, which is posted to exactly as given: no path or key is added.
 *
 * @throws TypeError when the text is not an `http` or `https` URL, and RangeError on options that make no sense.
 */
export const httpUpstream = (url: string | Redacted.Redacted<string>, options: HttpUpstreamOptions = {}): Upstream => {
  const text = Redacted.isRedacted(url) ? Redacted.value(url) : url
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new TypeError("An upstream must be an http:// or https:// URL.")
  const secrets = [...Redaction.secretsOfUrl(text), ...hostOf(text), ...(options.secrets ?? [])]
  const { replyLimit = 64 * 1_048_576, timeoutMillis = 30_000 } = options
  Options.millisAboveZero("timeoutMillis", timeoutMillis)
  Options.aboveZero("replyLimit", replyLimit, "bytes")
  const reading = { bytes: 0, limit: 4 * replyLimit }
  let lastId = 0

  const post = (body: string) =>
    Effect.tryPromise({
      try: async (signal) => {
        const headers = { "content-type": "application/json", accept: "application/json", "accept-encoding": "gzip" }
        // A redirect would carry the caller's params, and a key in the path, to a place that nobody chose.
        const reply = await fetch(text, { method: "POST", headers, body, signal, redirect: "manual" })
        const read = await bodyOf(reply, { limit: replyLimit, secrets }, reading)
        return Result.map(read, (said) => ({ status: reply.status, body: said }))
      },
      catch: () => unreachable,
    }).pipe(Effect.flatMap(Effect.fromResult))

  return {
    call: (method, params) =>
      Effect.suspend(() => {
        const id = ++lastId
        return post(Json.stringify({ jsonrpc: "2.0", id, method, params })).pipe(
          Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.fail(unreachable) }),
          Effect.flatMap((reply) => {
            const reading = () => readingNodeReply(reply, id, secrets)
            return typeof reply.body !== "string" ? inTurns(reading) : Effect.succeed(atOnce(reading()))
          }),
          Effect.flatMap(Effect.fromResult),
        )
      }),
  }
}

/** A bare name such as `node` is an ordinary word, and is only masked together with its port. */
const hostOf = (url: string): ReadonlyArray<Redacted.Redacted<string>> => {
  const { host, hostname } = new URL(url)
  return [host, hostname].filter((name) => /[.:]/.test(name)).map((name) => Redacted.make(name))
}

/** Reads no more than is allowed; what remains is not waited for. */
const bodyOf = async (
  reply: Response,
  limits: BodyLimits,
  reading: { bytes: number; readonly limit: number },
): Promise<Result.Result<ReplyBody, Fault>> => {
  const refuse = async (fault: Fault) => {
    await reply.body?.cancel()
    return Result.fail(fault)
  }
  if (reply.type === "opaqueredirect" || (reply.status >= 300 && reply.status < 400)) return refuse(redirected)
  if (!/^(identity|gzip|deflate|br)?$/i.test(reply.headers.get("content-encoding") ?? "")) return refuse(notJsonRpc)
  if (reply.body === null) return Result.fail(notJsonRpc)
  let own = 0
  let isBusy = false
  const take = (bytes: number) => {
    own += bytes
    reading.bytes += bytes
    isBusy = reading.bytes > reading.limit
    return !isBusy
  }
  try {
    const body = await readBody(reply.body, { ...limits, take })
    return body === undefined ? Result.fail(isBusy ? busy : oversized) : Result.succeed(body)
  } finally {
    reading.bytes -= own
  }
}

const unreachable: Fault = { code: -32603, message: "the node behind this network did not answer", status: 502 }

const redirected: Fault = {
  code: -32603,
  message: "the node behind this network answered with a redirect, which is not followed",
  status: 502,
}

const oversized: Fault = {
  code: -32603,
  message: "the reply of the node behind this network is too large",
  status: 502,
}
