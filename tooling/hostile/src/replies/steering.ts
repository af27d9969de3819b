/** Text of a server that steers the terminal or the report it is shown in, in every place where a server has text. */
import { body, raw, result, rpcError } from "../answers.ts"
import { asks, type Case, log } from "../Case.ts"

const failed: Case["status"] = ["failed", "rpc-error"]

/**
 * Colours, titles, links, the clipboard, other directions of writing, what is not seen, other lines of a report, other elements
 * of XML, and commands to services that keep logs.
 */
export const evil =
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b]52;c;cm0gLXJm\u0007 " +
  "\u009b31mred\u009d52;c;cm0gLXJm\u009c \u0090q\u009c \r\u0008\u0007\u007f\u0000 \u202egnp.exe\u202c \u2066a\u2069 \u200b\u200f\ufeff \u2028\u2029 " +
  "\u00ad\u034f\u115f\u17b4\u180b\u2060\u206a\u3164\ufe0f\uffa0\ufff9\ufffe\uffff\u{e0041}\u{e0100}\u{1d173} " +
  '\nok 1 - all is well\n1..1\nBail out!\n</failure></testcase><testcase name="x"/>]]> <!-- & " \' ::error::x\n::add-mask::y\n  ::stop-commands::z\n##[group]a ##vso[task.setvariable variable=b]c\n'

const inMember = { [evil]: evil }

const places: Readonly<Record<string, Case["http"]>> = {
  "an-error-message": rpcError({ code: -32_000, message: evil }),
  "error-data": rpcError({ code: -32_000, message: "no", data: evil }),
  "members-of-error-data": rpcError({ code: -32_000, message: "no", data: { inner: [inMember] } }),
  "an-error-without-words": rpcError(inMember),
  "details-of-an-error": rpcError({ code: -32_000, message: "no", details: evil }),
  "a-500": body(500, evil),
  "a-404": body(404, evil),
  "a-429": body(429, evil, { "retry-after": "1" }),
  "no-json": body(200, evil),
  "half-a-json": body(200, `{"jsonrpc":"2.0","id":1,"${evil}`),
  "another-id": body(200, JSON.stringify({ jsonrpc: "2.0", id: evil, result: "0x1" })),
  "a-misfit": result(JSON.stringify(evil)),
  "a-misfit-in-an-object": result(inMember),
  "columns-of-a-misfit": result([inMember, inMember]),
  "columns-in-columns": result([{ a: { [evil]: { [evil]: 1 } } }]),
  "a-number-of-a-misfit": result({ [evil]: 7 }),
  "a-redirect": (call) =>
    raw(`HTTP/1.1 302 Found\r\nlocation: http://evil.example/\u009b31m\r\ncontent-length: 0\r\n\r\n`)(call),
  "the-words-of-a-status": raw("HTTP/1.1 500 \u009b31mred\u009d52;c;x\u009c\r\ncontent-length: 0\r\n\r\n"),
  headers: raw("HTTP/1.1 429 no\r\nretry-after: \u009b31m\r\ncontent-type: \u009b31m\r\ncontent-length: 0\r\n\r\n"),
  "no-http": raw("\u001b[31mred \u009b31m\r\n\r\n"),
}

const storage = Object.entries(places).map(([place, http]): Case => ({
  name: `steering-in-${place}`,
  http,
  // What does not fit its method is shown as it was sent.
  status: /misfit|columns/.test(place) ? ["ok"] : failed,
  // These say their status past HTTP.
  ...(/headers|status|redirect|no-http/.test(place) ? { charge: "nothing" } : {}),
}))

const account = (parsed: object): object => ({
  context: { slot: 1, apiVersion: evil },
  value: [
    {
      pubkey: evil,
      account: { data: parsed, executable: false, lamports: 1, owner: evil, rentEpoch: 0, space: 165 },
    },
  ],
})
const amount = { amount: evil, decimals: 0, uiAmount: null, uiAmountString: evil }

export const steering: ReadonlyArray<Case> = [
  ...storage,
  { name: "steering-in-more-members-of-a-log", ask: asks.logs, http: result([log(inMember)]) },
  { name: "steering-in-a-log", ask: asks.logs, http: result([log({ data: evil })]), status: ["ok"] },
  { name: "steering-in-a-receipt", ask: asks.receipt, http: result(inMember) },
  { name: "steering-in-a-block", ask: asks.blocks, http: result([inMember]) },
  {
    name: "steering-in-an-account",
    plugin: "token-accounts",
    ask: asks.accounts,
    http: result(
      account({
        program: evil,
        space: 165,
        parsed: {
          type: evil,
          info: {
            mint: evil,
            owner: evil,
            tokenAmount: amount,
            delegate: evil,
            delegatedAmount: amount,
            state: evil,
            isNative: false,
            extensions: [{ extension: evil, state: inMember }],
          },
        },
      }),
    ),
  },
  {
    name: "steering-in-a-token",
    plugin: "l2-events",
    ask: asks.events,
    http: result({ events: [], continuation_token: evil }),
  },
  {
    name: "steering-in-an-event",
    plugin: "l2-events",
    ask: asks.events,
    http: result({
      events: [{ ...inMember, data: ["0x1"], from_address: "0x1", keys: ["0x1"], transaction_hash: "0x1" }],
    }),
  },
]
