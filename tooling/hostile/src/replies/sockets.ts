/** What a server can do over a WebSocket. */
import { drained } from "../answers.ts"
import type { Case } from "../Case.ts"
import type { SocketCall } from "../HostileServer.ts"
import { evil } from "./steering.ts"

const unread: Case["status"] = ["failed", "rpc-error"]
const reply = (id: unknown, result: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** The head of a frame from the server: last or not, what it is, and how long it says it is. */
const frame = (first: number, length: bigint): Buffer => {
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 127
  head.writeBigUInt64BE(length, 2)
  return head
}

/** Writes pieces as fast as they are taken, until the other side hangs up. */
const flood = async ({ socket }: SocketCall, piece: Buffer, times: number): Promise<void> => {
  for (let sent = 0; sent < times && !socket.destroyed; sent++) if (!socket.write(piece)) await drained(socket)
}

const rows: Readonly<Record<string, Required<Case>["webSocket"]>> = {
  junk: ({ socket }) => void socket.write(Buffer.from("ff00deadbeef".repeat(1_000), "hex")),
  text: ({ webSocket }) => webSocket.send("no JSON"),
  bytes: ({ webSocket }) => webSocket.send(Buffer.from([0xff, 0xfe, 0x00])),
  "a-frame-of-an-exabyte": ({ socket }) => void socket.write(frame(0x81, 1n << 60n)),
  "a-frame-of-1.2-GB": async (call) => {
    call.socket.write(frame(0x81, 1_200n << 20n))
    await flood(call, Buffer.alloc(1 << 20, "0"), 1_200)
  },
  "pieces-without-end": async (call) => {
    call.socket.write(Buffer.concat([frame(0x01, 65_536n), Buffer.alloc(65_536, "0")]))
    await flood(call, Buffer.concat([frame(0x00, 65_536n), Buffer.alloc(65_536, "0")]), 20_000)
  },
  "pings-without-end": (call) =>
    flood(call, Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from([0x89, 0x00]))), 1_000),
  "replies-to-nobody": ({ webSocket }) => {
    for (let id = 0; id < 20_000; id++) webSocket.send(reply(`x${id}`, '"0x1"'))
  },
  "the-reply-twice": ({ id, webSocket }) => {
    webSocket.send(reply(id, `"0x${"0".repeat(64)}"`))
    webSocket.send(reply(id, `"0x${"1".repeat(64)}"`))
  },
  "nested-a-million-deep": ({ id, webSocket }) =>
    webSocket.send(reply(id, "[".repeat(1_000_000) + "]".repeat(1_000_000))),
  "no-utf-8": ({ socket }) => void socket.write(Buffer.from([0x81, 0x02, 0xc0, 0x80])),
  "a-close-that-steers": ({ webSocket }) => webSocket.close(4_000, evil.slice(0, 60)),
  "a-steering-error": ({ id, webSocket }) =>
    webSocket.send(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: evil, data: { [evil]: evil } } }),
    ),
  "an-echo": ({ id, key, webSocket }) =>
    webSocket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: -32_000, message: `no ${Buffer.from(key).toString("base64")}` },
      }),
    ),
  "a-close-with-the-key": ({ key, webSocket }) => webSocket.close(4_000, `no ${key}`),
  "a-cut": ({ socket }) => void socket.destroy(),
  silence: () => {},
}

export const sockets: ReadonlyArray<Case> = Object.entries(rows).map(([name, webSocket]) => ({
  name: `socket-${name}`,
  webSocket,
  directives: ["@transport ws", ...(name === "the-reply-twice" ? [] : ["@timeout 3s"])],
  status: name === "the-reply-twice" ? (["ok"] as const) : unread,
}))
