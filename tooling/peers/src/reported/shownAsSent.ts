/** Answers that no schema promised. */
import type { Json } from "@dotrpc/spec"
import { account, evmBlock, evmLog, evmReceipt, evmTransaction, word } from "./chain.ts"
import type { Report } from "./Report.ts"

/** A result that is shown as it was sent; with a note, if it is a surprise. */
const shown = (what: string, call: string, result: Json.Json, note: string, params = "[]"): Report => ({
  what,
  sent: `### One\n${call} ${params}\n`,
  answers: { result },
  expected: {
    requests: [{ status: "ok", result, notes: [note] }],
  },
})

const inBlock = `["0x10", false]`
const inReceipt = `["${word(0x51)}"]`

export const shownAsSent: ReadonlyArray<Report> = [
  shown(
    "TRON sends 0x as the root of the state",
    "eth_getBlockByNumber",
    evmBlock({ stateRoot: "0x" }),
    `result.stateRoot: expected a hash of 32 bytes (0x and 64 hex digits), found 0 digits in "0x"; it is shown as it was sent`,
    inBlock,
  ),
  {
    what: "a node sends null instead of the logs of a receipt",
    sent: `### One\neth_getTransactionReceipt ${inReceipt}\n`,
    answers: { result: evmReceipt({ logs: null }) },
    expected: {
      requests: [
        {
          status: "ok",
          result: evmReceipt(),
          notes: ["result.logs is null instead of a list: shown as an empty one"],
        },
      ],
    },
  },
  {
    what: "a list of pending logs has one without its block",
    sent: `### One\neth_getLogs [{}]\n`,
    answers: { result: [evmLog({ blockHash: null, blockNumber: null })] },
    expected: { requests: [{ status: "ok" }] },
  },
  {
    what: "a transaction has no nonce",
    sent: `### One\neth_getTransactionByHash ${inReceipt}\n`,
    answers: { result: evmTransaction({ nonce: null }) },
    expected: { requests: [{ status: "ok", result: evmTransaction({ nonce: null }) }] },
  },
  {
    what: "a text comes where logs are expected",
    sent: `### One\neth_getLogs [{}]\n`,
    answers: { result: "none" },
    expected: {
      requests: [
        {
          status: "ok",
          result: "none",
          notes: ['result: expected an array, found "none"; it is shown as it was sent'],
        },
      ],
    },
  },
  {
    what: "a scan needs the number of each block",
    sent: ["scan", "eth_getLogs", '[{"fromBlock":"0x10","toBlock":"0x13"}]', "--network", "node"],
    answers: ({ method }) => (method === "eth_getLogs" ? { result: [{ address: account(1), topics: [] }] } : undefined),
    expected: { exitCode: 3, stderr: /without a block/ },
  },
]
