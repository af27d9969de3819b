/** A peer that writes bytes of its own to a server, for what no client library would send. */
import { connect } from "node:net"

export interface RawReply {
  /** What came back until the connection ended. */
  readonly text: string
  /** The status of each reply in it. */
  readonly statuses: ReadonlyArray<number>
}

/** Writes the pieces one after the other and ends, or resets, or just waits for the server to hang up. */
export const exchange = (
  port: number,
  pieces: ReadonlyArray<string | Uint8Array>,
  ending: "end" | "reset" | "wait" = "wait",
): Promise<RawReply> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
    // A server that hangs up while bytes are in transit to it resets the connection.
    socket.on("error", () => {})
    socket.on("close", () =>
      resolve({ text, statuses: [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status)) }),
    )
    socket.on("connect", () => {
      for (const piece of pieces) socket.write(piece)
      if (ending === "end") socket.end()
      if (ending === "reset") socket.resetAndDestroy()
    })
  })

/** An HTTP request as text. `host` is this server's unless another is given. */
export const request = (
  port: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): string => {
  const all = { host: `127.0.0.1:${port}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, "", body].join("\r\n")
}
