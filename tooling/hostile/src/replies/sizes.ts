/** Replies that are larger, longer or slower than anybody can take. They are made while they are sent. */
import { brotliCompressSync, constants, deflateRawSync, gzipSync, zstdCompressSync } from "node:zlib"
import { body, drained, drip, endlessly, raw, result, rpcError, stream } from "../answers.ts"
import { asks, type Case, log } from "../Case.ts"

const megabyte = 1_048_576
const begin = '{"jsonrpc":"2.0","id":1,"result":"0x'
const json = { "content-type": "application/json" }
const encoded = (encoding: string) => ({ ...json, "content-encoding": encoding })

const zeros = Buffer.alloc(16 * megabyte, "0")
const gzipMember = gzipSync(zeros)
/** Ends at a byte, so that any number of them follow one another in one deflate stream. */
const deflateBlock = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH })
const zlibHeader = Buffer.from([0x78, 0x9c])
const brotli = brotliCompressSync(Buffer.alloc(256 * megabyte, "0"), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
})
const gzipOfGzip = gzipSync(Buffer.concat(Array.from({ length: 128 }, () => gzipMember)))

const unread: Case["status"] = ["failed", "rpc-error"]

/** A frame of ten bytes: one block of 128 KiB of zeros, for which a window of a gigabyte is asked. */
const wideWindow = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, ...rle(131_072), 0])
/** A frame that says it holds as much as fits four bytes. */
const wideContent = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0xff, ...rle(131_072), 0])
/** 8,192 blocks of 128 KiB: a gigabyte in 32 KiB. */
const manyBlocks = Buffer.from([
  0x28,
  0xb5,
  0x2f,
  0xfd,
  0x00,
  0x58,
  ...Array.from({ length: 8_192 }, (_, index) => [...rle(131_072, index === 8_191), 0]).flat(),
])

function rle(size: number, last = true): ReadonlyArray<number> {
  const header = (last ? 1 : 0) | (1 << 1) | (size << 3)
  return [header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff]
}

const account = (data: unknown): object => ({
  context: { slot: 1 },
  value: [
    {
      pubkey: "8xU9dfEfpfprs1rTa3ZM9fUgWma2k7komU9Lx3QSRVkq",
      account: {
        data,
        executable: false,
        lamports: 1,
        owner: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        rentEpoch: 0,
        space: 165,
      },
    },
  ],
})
const zstd = (name: string, frame: Uint8Array): Case => ({
  name: `account-${name}`,
  plugin: "token-accounts",
  ask: asks.accounts.replace(/ \}\]$/, ' }, { "encoding": "base64+zstd" }]'),
  http: result(account([Buffer.from(frame).toString("base64"), "base64+zstd"])),
})

export const sizes: ReadonlyArray<Case> = [
  { name: "plain-1.2-GB", http: stream(begin, zeros.subarray(0, megabyte), 1_200, '"}', json), status: unread },
  {
    name: "plain-1.2-GB-in-a-500",
    status: unread,
    http: async (call) => {
      call.response.statusCode = 500
      call.response.write(begin)
      for (let sent = 0; sent < 1_200 && !call.response.destroyed; sent++)
        if (!call.response.write(zeros.subarray(0, megabyte))) await drained(call.response)
      call.response.end()
    },
  },
  {
    name: "length-of-a-petabyte",
    http: raw(`HTTP/1.1 200 OK\r\ncontent-length: 1000000000000000\r\n\r\n${begin}`),
    status: unread,
  },
  { name: "gzip-2-GB", http: stream(gzipSync(begin), gzipMember, 128, "", encoded("gzip")), status: unread },
  {
    name: "deflate-2-GB",
    http: stream(
      Buffer.concat([zlibHeader, deflateRawSync(begin, { finishFlush: constants.Z_FULL_FLUSH })]),
      deflateBlock,
      128,
      "",
      encoded("deflate"),
    ),
    status: unread,
  },
  {
    name: "brotli-256-MB",
    http: body(200, brotli, encoded("br")),
    status: unread,
  },
  {
    name: "zstd-2-GB",
    http: stream(zstdCompressSync(begin), zstdCompressSync(zeros), 128, "", encoded("zstd")),
    status: unread,
  },
  { name: "gzip-in-gzip-2-GB", http: body(200, gzipOfGzip, encoded("gzip, gzip")), status: unread },
  {
    name: "a-hundred-encodings",
    http: body(200, gzipOfGzip, encoded(Array.from({ length: 100 }, () => "gzip").join(", "))),
    status: unread,
  },
  { name: "angle-brackets-100-KB-in-500", http: body(500, "<".repeat(100_000)), status: unread },
  { name: "angle-brackets-10-MB-in-500", http: body(500, "<".repeat(10 * megabyte)), status: unread },
  { name: "spaces-10-MB-in-500", http: body(500, `${" ".repeat(10 * megabyte)}x`), status: unread },
  {
    name: "message-10-MB-of-spaces",
    http: rpcError({ code: -32_000, message: `${" ".repeat(10 * megabyte)}x` }),
    status: unread,
  },
  {
    name: "message-1-MB-of-digits",
    http: rpcError({ code: -32_005, message: `try again in ${"1".repeat(megabyte)}` }),
    status: unread,
  },
  {
    name: "message-1-MB-of-ranges",
    ask: asks.logs,
    http: rpcError({ code: -32_005, message: "[0x1, ".repeat(megabyte / 6) }),
    status: unread,
  },
  {
    name: "message-1-MB-of-percents",
    http: rpcError({ code: -32_000, message: "%25".repeat(megabyte / 3) }),
    status: unread,
  },
  {
    name: "message-1-MB-of-entities",
    http: rpcError({ code: -32_000, message: "&#38;".repeat(megabyte / 5) }),
    status: unread,
  },
  {
    name: "message-1-MB-of-base64",
    http: rpcError({ code: -32_000, message: "QUJD".repeat(megabyte / 4) }),
    status: unread,
  },
  {
    name: "message-1-MB-of-URLs",
    http: rpcError({ code: -32_000, message: "http://a.b/v3/".repeat(megabyte / 14) }),
    status: unread,
  },
  { name: "number-of-10-million-digits", http: result(`{"n":${"7".repeat(10_000_000)}}`) },
  {
    name: "code-of-10-million-digits",
    http: rpcError(`{"code":${"7".repeat(10_000_000)},"message":"no"}`),
    status: unread,
  },
  {
    name: "id-of-10-million-digits",
    http: body(200, `{"jsonrpc":"2.0","id":${"7".repeat(10_000_000)},"result":"0x1"}`),
    status: unread,
  },
  {
    name: "quantity-of-10-million-digits",
    ask: asks.logs,
    http: result([log({ blockNumber: `0x${"7".repeat(10_000_000)}` })]),
  },
  {
    name: "wait-of-10-million-digits",
    http: rpcError(`{"code":429,"message":"no","data":{"backoff_seconds":${"7".repeat(10_000_000)}}}`),
    status: unread,
  },
  { name: "exponent-of-a-billion", http: result('{"n":1e999999999,"m":1e-999999999}') },
  {
    name: "slot-with-an-exponent-of-a-billion",
    plugin: "token-accounts",
    ask: asks.accounts,
    http: result('{"context":{"slot":1e999999999},"value":[]}'),
  },
  zstd("zstd-window-of-1-GB", wideWindow),
  zstd("zstd-content-of-4-GB", wideContent),
  zstd("zstd-1-GB-in-32-KB", manyBlocks),
  {
    name: "account-base58-of-1-MB",
    plugin: "token-accounts",
    ask: asks.accounts,
    http: result(account("z".repeat(megabyte))),
  },
  {
    name: "account-base64-of-20-MB",
    plugin: "token-accounts",
    ask: asks.accounts,
    http: result(account(["A".repeat(20 * megabyte), "base64"])),
  },
  { name: "a-million-empty-logs", ask: asks.logs, http: result(`[${"{},".repeat(1_000_000)}{}]`) },
  {
    name: "a-million-members",
    http: result(`{${Array.from({ length: 1_000_000 }, (_, index) => `"m${index}":0`).join(",")}}`),
  },
  {
    name: "a-million-columns",
    ask: asks.logs,
    http: result(`[{${Array.from({ length: 1_000_000 }, (_, index) => `"m${index}":0`).join(",")}}]`),
  },
  {
    name: "headers-without-end",
    http: endlessly("HTTP/1.1 200 OK\r\n", `x-more: ${"y".repeat(8_000)}\r\n`, 20_000),
    status: unread,
  },
  {
    name: "one-header-without-end",
    http: endlessly("HTTP/1.1 200 OK\r\nx-more: ", "y".repeat(65_536), 2_000),
    status: unread,
  },
  {
    name: "early-hints-without-end",
    http: endlessly("", "HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n", 2_000_000),
    directives: ["@timeout 2s"],
    scanned: false,
    status: unread,
  },
  {
    name: "chunk-extension-without-end",
    http: endlessly("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;", "y".repeat(65_536), 2_000),
    status: unread,
  },
  {
    name: "empty-gzip-members-without-end",
    http: stream(
      gzipSync(begin),
      Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync(""))),
      2_000,
      "",
      encoded("gzip"),
    ),
    directives: ["@timeout 2s"],
    scanned: false,
    status: unread,
  },
  {
    name: "chunks-that-drip",
    http: drip(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n`, "1\r\n0\r\n"),
    directives: ["@timeout 2s"],
    scanned: false,
    status: unread,
  },
  {
    name: "headers-that-drip",
    http: drip("HTTP/1.1 200 OK\r\n", "x-a: b\r\n"),
    directives: ["@timeout 2s"],
    scanned: false,
    status: unread,
  },
  { name: "nothing-at-all", http: () => {}, directives: ["@timeout 2s"], scanned: false, status: unread },
]
