/** Refusals in forms that clients take for something else. */
import type { Json } from "@dotrpc/spec"
import { account, word } from "./chain.ts"
import type { Answer, Report } from "./Report.ts"

const call = (method: string, params = "[]"): string => `### One\n${method} ${params}\n`
const ofContract = call("eth_call", `[{ "to": "${account(5)}", "data": "0x12345678" }, "latest"]`)

/** What is refused once is asked again, and then answered. */
const askedAgain = (what: string, refusal: Answer, plugin: Report["plugin"] = "evm"): Report => {
  const [method, result] = {
    evm: ["eth_blockNumber", "0x7"],
    "token-accounts": ["getSlot", 7],
    "l2-events": ["l2_blockNumber", 7],
  }[plugin] as [string, Json.Json]
  return {
    what: `${plugin}: ${what}`,
    plugin,
    sent: call(method),
    answers: ({ n }) => (n === 1 ? refusal : { result }),
    expected: { requests: [{ status: "ok", result }], asked: [method, method] },
  }
}

const error = (code: number | string, message: string): Answer => ({ error: { code, message } })
const body = (text: string, status = 200): Answer => ({
  http: { status, body: text, headers: { "content-type": "application/json" } },
})

const limits: ReadonlyArray<readonly [what: string, refusal: Answer]> = [
  [
    "QuickNode counts requests in a second",
    error(-32_007, "50/second request limit reached - reduce calls per second or upgrade your account"),
  ],
  ["Infura counts requests of a project", error(-32_005, "project ID request rate exceeded")],
  ["Alchemy counts in a second", error(-32_016, "Your app has exceeded its rate limit")],
  ["a gateway has a code of its own", error(-32_029, "Rate limit exceeded")],
  ["QuickNode counts credits", error(-32_012, "credits limited to 6000/sec")],
  ["the code of a limit is a text", error("-32005", "rate limit exceeded")],
  ["an error is a text", body('{"error":"Too many requests, please try again later."}')],
  ["an error is where the reply should be", body('{"message":"Too many requests"}')],
  ["a reply is empty", body("")],
  ["a reply ends in its middle", body('{"jsonrpc":"2.0","id":1,"res')],
]

const reverts: ReadonlyArray<readonly [node: string, code: number, said: (words: string) => string]> = [
  ["Moonbeam", -32_603, (words) => `VM Exception while processing transaction: revert ${words}`],
  ["Conflux", -32_015, (words) => `Transaction reverted: ${words}`],
  ["TRON", -32_000, (words) => `REVERT opcode executed: ${words}`],
]

/** A contract says it, so it is the answer. */
const ofContracts = ["rate limit exceeded", "archive only"].flatMap((words) =>
  reverts.map(([node, code, said]): Report => ({
    what: `${node} passes on what a contract says: ${words}`,
    sent: ofContract,
    answers: error(code, said(words)),
    expected: { exitCode: 3, requests: [{ error: { reason: "Rejected" } }], asked: ["eth_call"] },
  })),
)

const reason = `0x08c379a0${word(32).slice(2)}${word(5).slice(2)}${"68656c6c6f".padEnd(64, "0")}`

export const refused: ReadonlyArray<Report> = [
  ...limits.flatMap(([what, refusal]) =>
    (["evm", "token-accounts", "l2-events"] as const).map((plugin) => askedAgain(what, refusal, plugin)),
  ),
  ...ofContracts,
  {
    what: "a gateway answers a revert as a result",
    sent: ofContract,
    answers: { result: reason },
    expected: {
      requests: [
        {
          status: "ok",
          result: reason,
          notes: [`the contract reverted, and the node answered with the bytes of that instead of an error: "hello"`],
        },
      ],
    },
  },
  {
    what: "a node has no block for a tag, and the tag is named",
    sent: call("eth_getBlockByNumber", '["finalized", false]'),
    answers: error(-39_001, "Unknown block"),
    expected: {
      exitCode: 3,
      requests: [{ error: { reason: "NotFound" } }],
      stdout: /no block for \\"finalized\\"/,
    },
  },
  {
    what: "a node that is behind calls a range invalid which is in order",
    sent: `### One\n# @retry 0\neth_getLogs [{"fromBlock":"0x64","toBlock":"0xc8"}]\n`,
    answers: error(-32_602, "invalid block range params"),
    expected: {
      exitCode: 3,
      requests: [{ error: { reason: "NodeBehind" } }],
      stdout: /The range is in order/,
    },
  },
  {
    what: "a proxy answers with a line of text",
    sent: call("eth_blockNumber"),
    answers: body("invalid host specified"),
    expected: { exitCode: 3, requests: [{ error: { reason: "Malformed" } }], asked: ["eth_blockNumber"] },
  },
]
