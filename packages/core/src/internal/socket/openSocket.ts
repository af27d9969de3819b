/** Opens one socket in time, or reports why it could not. */
import type { Duration } from "effect"
import * as Effect from "effect/Effect"
import { type Handshake, makeSocket } from "./handshake.ts"
import { closeCodeOf, type Socket, type WebSocketConstructor, wordsOf } from "./socket.ts"

/** What a socket reports once it is open. */
export interface SocketListener {
  readonly onMessage: (event: object) => void
  /** Told once, unless the socket is closed from this side. */
  readonly onClose: (code: number | undefined, words: string) => void
}

export interface OpenFailure {
  readonly words: string
  /** The HTTP status with which the server refused, where the socket reports it. */
  readonly status?: number | undefined
}

/** Gives what is made of the socket once it is open. Interrupting it, or taking too long, gives the socket up. */
export const openSocket = <Opened extends SocketListener>(
  make: WebSocketConstructor,
  handshake: Handshake,
  timeout: Duration.Duration,
  openedOf: (socket: Socket) => Opened,
): Effect.Effect<Opened, OpenFailure> =>
  Effect.callback<Opened, OpenFailure>((resume) => {
    let words = ""
    let listener: Opened | undefined
    let socket: Socket
    try {
      socket = makeSocket(make, handshake)
    } catch (error) {
      return resume(Effect.fail({ words: error instanceof Error ? error.message : String(error) }))
    }
    socket.binaryType = "arraybuffer"
    socket.addEventListener("open", () => {
      listener = openedOf(socket)
      resume(Effect.succeed(listener))
    })
    if (socket.on === undefined) socket.addEventListener("message", (event) => listener?.onMessage(event))
    else socket.on("message", (data) => listener?.onMessage({ data }))
    socket.addEventListener("error", (event) => {
      words = wordsOf(event)
    })
    socket.addEventListener("close", (event) => {
      const code = closeCodeOf(event)
      if (listener === undefined) resume(Effect.fail(failureOf(words, code)))
      else listener.onClose(code, words)
    })
    return Effect.sync(() => cut(socket))
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail<OpenFailure>({ words: "it did not open in time" }),
    }),
  )

/** Ends a socket that nobody needs any more. */
export const cut = (socket: Socket): void => {
  if (socket.terminate === undefined) socket.close()
  else socket.terminate()
}

/** `ws` reports a refusal in words only. */
const failureOf = (words: string, code: number | undefined): OpenFailure => {
  const status = /unexpected server response: (\d{3})/i.exec(words)?.[1]
  return {
    words: words === "" ? `closed with code ${code ?? "none"}` : words,
    status: status === undefined ? undefined : Number(status),
  }
}
