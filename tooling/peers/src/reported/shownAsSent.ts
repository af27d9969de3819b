/** Answers in forms that no schema promised. */
import type { Json } from "@dotrpc/spec"
import { account, evmBlock, evmLog, evmReceipt, evmTransaction, word } from "./chain.ts"
import type { Report } from "./Report.ts"

/** A result that is shown as it was sent; a surprise has a note. */
const shown = (
  what: string,
  call: string,
  params: ReadonlyArray<Json.Json>,
  result: Json.Json,
  note?: string,
): Report => ({
  what,
  sent: `### One\n${call} ${JSON.stringify(params)}\n`,
  answers: { result },
  expected: { requests: [note === undefined ? { status: "ok", result } : { status: "ok", result, notes: [note] }] },
})

const inBlock = ["0x10", false]
const inReceipt = [word(0x51)]
const asSent = "it is shown as it was sent"
const quantity = 'expected a quantity in hex such as "0x1b4"'
const bytes = "expected data in hex (0x and two digits for each byte)"
const { removed: _, ...bareLog } = evmLog()

/** A log that does not say where it is in its block. */
const unplaced = (data: string): Json.JsonObject => {
  const { logIndex: _index, ...rest } = evmLog({ data })
  return rest
}

/** A log as XDC writes it. */
const xdcLog = evmLog({ address: account(0xaa).replace("0x", "xdc") })

export const shownAsSent: ReadonlyArray<Report> = [
  shown(
    "TRON sends 0x as the root of the state",
    "eth_getBlockByNumber",
    inBlock,
    evmBlock({ stateRoot: "0x" }),
    `result.stateRoot: expected a hash of 32 bytes (0x and 64 hex digits), found 0 digits in "0x"; ${asSent}`,
  ),
  shown("ZKsync Era sends status and root", "eth_getTransactionReceipt", inReceipt, evmReceipt({ root: word(1) })),
  shown("SKALE leaves out removed", "eth_getLogs", [{}], [bareLog]),
  shown(
    "Ganache sends numbers, and true as the status",
    "eth_getTransactionReceipt",
    inReceipt,
    evmReceipt({ blockNumber: 16, gasUsed: 21_000, status: true }),
    `result.blockNumber: ${quantity}, found 16; ${asSent}`,
  ),
  shown(
    "a gas price is decimal text",
    "eth_gasPrice",
    [],
    "100000000",
    `result: ${quantity}, found "100000000", which does not begin with 0x; ${asSent}`,
  ),
  shown(
    "Harmony sends the network as a number",
    "net_version",
    [],
    1_666_600_000,
    `result: expected a string, found 1666600000; ${asSent}`,
  ),
  shown(
    "Neon sends 0x0 for no code",
    "eth_getCode",
    [account(2), "latest"],
    "0x0",
    `result: ${bytes}, found an odd number of digits in "0x0"; ${asSent}`,
  ),
  shown("a transaction has no nonce", "eth_getTransactionByHash", inReceipt, evmTransaction({ nonce: null })),
  shown(
    "a text comes where logs are expected",
    "eth_getLogs",
    [{}],
    "none",
    `result: expected an array, found "none"; ${asSent}`,
  ),
  {
    what: "a node sends null instead of the logs of a receipt",
    sent: `### One\neth_getTransactionReceipt ${JSON.stringify(inReceipt)}\n`,
    answers: { result: evmReceipt({ logs: null }) },
    expected: {
      requests: [
        { status: "ok", result: evmReceipt(), notes: ["result.logs is null instead of a list: shown as an empty one"] },
      ],
    },
  },
  {
    what: "OpenEthereum finds null instead of traces",
    sent: `### One\ntrace_filter [{"fromBlock":"0x10","toBlock":"0x10"}]\n`,
    answers: { result: null },
    expected: {
      requests: [{ status: "ok", result: [], notes: ["result is null instead of a list: shown as an empty one"] }],
    },
  },
  shown("a step of a trace has no subtraces", "trace_transaction", inReceipt, [
    { type: "call", action: { from: account(1), to: account(2) }, traceAddress: [] },
  ]),
  {
    what: "params that a schema refuses are sent unchecked, and whatever comes is shown without a note",
    sent: `### One\n# @unchecked\neth_getLogs [{"address": 7, "polarity": true}]\n`,
    answers: ({ params }) => ({ result: params }),
    expected: { requests: [{ status: "ok", credits: 255, result: [{ address: 7, polarity: true }] }] },
  },
  {
    what: "a known method keeps its rows where it is sent unchecked",
    sent: ["call", "eth_getLogs", "[{}]", "--network", "node", "--unchecked"],
    answers: { result: [evmLog()] },
    expected: { stdout: /1 log/ },
  },
  {
    what: "numbers are drawn as what they mean",
    sent: ["call", "eth_getTransactionReceipt", JSON.stringify(inReceipt), "--network", "node"],
    answers: {
      result: evmReceipt({ blockNumber: 16, gasUsed: 21_000, effectiveGasPrice: 1_000_000_000, status: true }),
    },
    expected: { stdout: /status success · block 16 · gas used 21,000/ },
  },
  {
    what: "a contract of XDC is scanned by its address",
    sent: [
      "scan",
      "eth_getLogs",
      JSON.stringify([{ address: account(0xaa), fromBlock: "0x10", toBlock: "0x10" }]),
      "--network",
      "node",
    ],
    answers: ({ method }) => (method === "eth_getLogs" ? { result: [xdcLog] } : undefined),
    expected: { stdout: /"address":"xdc0{38}aa"/, stderr: /note: result\[0\]\.address: expected an address/ },
  },
  {
    what: "a scan reads heights that are numbers",
    sent: ["scan", "eth_getLogs", '[{"fromBlock":"0x10","toBlock":"0x10"}]', "--network", "node"],
    answers: ({ method }) =>
      method === "eth_getLogs" ? { result: [evmLog({ blockNumber: 16, logIndex: 0 })] } : undefined,
    expected: { stdout: /"blockNumber":16/ },
  },
  {
    what: "logs without a place in their block are all kept, in the node's order",
    sent: ["scan", "eth_getLogs", '[{"fromBlock":"0x10","toBlock":"0x10"}]', "--network", "node"],
    answers: ({ method }) => (method === "eth_getLogs" ? { result: [unplaced("0x02"), unplaced("0x01")] } : undefined),
    expected: { stdout: /"data":"0x02".*\n.*"data":"0x01"/ },
  },
  {
    what: "a scan needs the number of each block",
    sent: ["scan", "eth_getLogs", '[{"fromBlock":"0x10","toBlock":"0x13"}]', "--network", "node"],
    answers: ({ method }) => (method === "eth_getLogs" ? { result: [{ address: account(1), topics: [] }] } : undefined),
    expected: { exitCode: 3, stderr: /without a block/ },
  },
]
