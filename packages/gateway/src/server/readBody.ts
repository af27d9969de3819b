/** The body of a request as text, up to a limit. */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { boundedText } from "@dotrpc/spec"
import type { Share } from "./Budget.ts"

/**
 * - `too-large`: the body is larger than allowed
 * - `no-room`: too much is in flight to read it
 * - `cut-off`: the client went away before its end
 */
export type BodyProblem = "too-large" | "no-room" | "cut-off"

/** JSON takes more room as values than as text, until it is answered. */
const BYTES_PER_BYTE = 8

/** Reads a body. A `content-length` beyond the limit fails before the first byte is read. */
export const readBody = (request: IncomingMessage, limit: number, share: Share): Effect.Effect<string, BodyProblem> =>
  Effect.callback((resume) => {
    if (Number(request.headers["content-length"]) > limit) return resume(Effect.fail("too-large"))
    const body = boundedText(limit)
    const end = (outcome: Effect.Effect<string, BodyProblem>) => {
      request.off("data", read)
      resume(outcome)
    }
    const read = (chunk: Uint8Array) => {
      if (!share.take(chunk.length * BYTES_PER_BYTE)) return end(Effect.fail("no-room"))
      if (!body.add(chunk)) end(Effect.fail("too-large"))
    }
    request.on("data", read)
    request.on("end", () => end(Effect.sync(body.text)))
    request.on("error", () => end(Effect.fail("cut-off")))
    request.on("close", () => end(Effect.fail("cut-off")))
  })
