/** The body of a request as text, up to a limit. */
import type { IncomingMessage } from "node:http"
import { Effect } from "effect"

/** The body is larger than allowed, or the client went away before its end. */
export type BodyProblem = "too-large" | "cut-off"

/** Reads a body. A `content-length` beyond the limit fails before the first byte is read. */
export const readBody = (request: IncomingMessage, limit: number): Effect.Effect<string, BodyProblem> =>
  Effect.callback((resume) => {
    if (Number(request.headers["content-length"]) > limit) return resume(Effect.fail("too-large"))
    const chunks: Array<Uint8Array> = []
    let size = 0
    request.on("data", (chunk: Uint8Array) => {
      size += chunk.length
      if (size > limit) resume(Effect.fail("too-large"))
      else chunks.push(chunk)
    })
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
    request.on("error", () => resume(Effect.fail("cut-off")))
    request.on("close", () => resume(Effect.fail("cut-off")))
  })
