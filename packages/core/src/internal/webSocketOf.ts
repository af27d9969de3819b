/** The kind of WebSocket that a layer opens. */
import { Options } from "@dotrpc/spec"
import type { WebSocketConstructor } from "./socket.ts"

/** The given one, or the one of the runtime. */
export const webSocketOf = (
  webSocket: WebSocketConstructor | undefined = globalThis.WebSocket,
): WebSocketConstructor => {
  if (webSocket !== undefined) return Options.func("webSocket", webSocket)
  throw new Options.OptionError({
    message: "This runtime has no WebSocket of its own: pass one as `webSocket`, such as the one from the ws package.",
    path: "webSocket",
    expected: "a WebSocket constructor",
  })
}
