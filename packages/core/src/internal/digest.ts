/** A short name for a long text. */
import * as Effect from "effect/Effect"

/** 128 bits of a SHA-256, in hexadecimal. */
export const digestOf = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  )
