/** Replies that are not replies: cut off, answering someone else, or more than one thing at once. */
import { body, raw, result, rpcError } from "../answers.ts"
import { asks, type Case, log } from "../Case.ts"

const unread: Case["status"] = ["failed", "rpc-error"]
const cut = (name: string, bytes: string): Case => ({ name: `cut-${name}`, http: raw(bytes), status: unread })
const whole = (name: string, text: string | Uint8Array, status: Case["status"] = unread): Case => ({
  name,
  http: body(200, text),
  status,
})

const cuts: ReadonlyArray<Case> = [
  cut("at-once", ""),
  cut("in-the-status", "HTTP/1.1 2"),
  cut("in-a-header", "HTTP/1.1 200 OK\r\ncontent-le"),
  cut("before-the-body", "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n"),
  cut("in-the-body", 'HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n{"jsonrpc":"2.0","id":1,"res'),
  cut("in-a-chunk", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"jsonrpc"'),
  cut("without-a-length", 'HTTP/1.1 200 OK\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"0x'),
  cut("two-lengths", 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{"jso'),
  cut(
    "length-and-chunks",
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"jso\r\n0\r\n\r\n',
  ),
  cut("status-of-nine-digits", "HTTP/1.1 200000000 OK\r\ncontent-length: 0\r\n\r\n"),
  cut("status-0", "HTTP/1.1 000 OK\r\ncontent-length: 0\r\n\r\n"),
  cut("another-protocol", "SSH-2.0-OpenSSH_9.6\r\n"),
  cut("101-nobody-asked-for", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  { name: "reset", http: ({ socket }) => void socket.resetAndDestroy(), status: unread },
]

const ids = ["2", '"1"', "null", "1.0", "1e0", "-1", "{}", "[1]", "true", `"${"9".repeat(100_000)}"`].map(
  (id, index): Case => ({
    name: `id-${index}`,
    http: body(200, `{"jsonrpc":"2.0","id":${id},"result":"0x${"0".repeat(64)}"}`),
    // The same number in other digits is the same id.
    status: ["failed", "rpc-error", "ok"],
  }),
)

const members = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
  "length",
].flatMap((member): ReadonlyArray<Case> => [
  { name: `result-with-${member}`, http: result(`{"${member}":{"polluted":true,"ok":true}}`) },
  {
    name: `log-with-${member}`,
    ask: asks.logs,
    http: result(`[${JSON.stringify(log()).replace("{", `{"${member}":{"polluted":true},`)}]`),
  },
  {
    name: `data-with-${member}`,
    http: rpcError(`{"code":-32000,"message":"no","data":{"${member}":{"code":429}}}`),
    status: unread,
  },
  {
    name: `reply-with-${member}`,
    http: body(200, `{"${member}":{"result":"0x1"},"jsonrpc":"2.0","id":1}`),
    status: unread,
  },
])

export const protocol: ReadonlyArray<Case> = [
  ...cuts,
  ...ids,
  ...members,
  whole("empty", ""),
  whole("byte-order-mark", '\ufeff{"jsonrpc":"2.0","id":1,"result":"0x1"}', ["ok", ...unread]),
  whole("no-utf-8", Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])),
  whole("utf-16", Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1"}', "utf16le")),
  whole("zero-bytes", "\0".repeat(1_000)),
  whole("a-page", "<!doctype html><title>Sign in</title><script>alert(1)</script>"),
  whole("a-word", '"0x1"'),
  whole("null", "null"),
  whole("nothing-in-it", "{}"),
  whole("an-empty-batch", "[]"),
  whole(
    "a-batch",
    '[{"jsonrpc":"2.0","id":1,"result":"0x1"},{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}]',
    ["ok", ...unread],
  ),
  whole("two-replies", '{"jsonrpc":"2.0","id":1,"result":"0x1"}{"jsonrpc":"2.0","id":1,"result":"0x2"}'),
  whole("two-results", '{"jsonrpc":"2.0","id":1,"result":"0x1","result":"0x2"}', ["ok", ...unread]),
  whole("result-and-error", '{"jsonrpc":"2.0","id":1,"result":"0x1","error":{"code":-32000,"message":"no"}}', [
    "ok",
    ...unread,
  ]),
  whole("error-of-null", '{"jsonrpc":"2.0","id":1,"result":"0x1","error":null}', ["ok", ...unread]),
  whole("error-that-is-text", '{"jsonrpc":"2.0","id":1,"error":"no"}'),
  whole("error-without-members", '{"jsonrpc":"2.0","id":1,"error":{}}'),
  whole("code-that-is-text", '{"jsonrpc":"2.0","id":1,"error":{"code":"-32601","message":{"a":1}}}'),
  whole("code-with-a-fraction", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601.5,"message":"no"}}'),
  whole("code-beyond-numbers", '{"jsonrpc":"2.0","id":1,"error":{"code":1e400,"message":"no"}}'),
  { name: "a-204", http: body(204, ""), status: unread },
  {
    name: "a-result-in-a-500",
    http: ({ id, ...call }) => body(500, `{"jsonrpc":"2.0","id":${String(id)},"result":"0x1"}`)({ id, ...call }),
    status: ["ok", ...unread],
  },
  {
    name: "lone-surrogates",
    http: rpcError('{"code":-32000,"message":"\\ud800 \\udc00","data":"\\udfff"}'),
    status: unread,
  },
]
