import type { Json, Method } from "@dotrpc/spec"
import { expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { everyTag } from "./samples/networks.ts"

const hash = `0x${"ab".repeat(32)}`
const address = `0x${"5f".repeat(20)}`
const log = (overrides: Json.JsonObject = {}): Json.Json => ({ blockHash: hash, removed: false, ...overrides })

const check = (what: string, method: Method, params: Json.Json, result: Json.Json, expected: unknown) =>
  it(`${method.name}: ${what}`, () => expect(method.permanence?.(params, result, everyTag)).toEqual(expected))

check("logs of a block by hash stay", Evm.GetLogs, [{ blockHash: hash }], [log()], "forever")
check(
  "whatever the case of the hash",
  Evm.GetLogs,
  [{ blockHash: hash.toUpperCase().replace("X", "x") }],
  [log()],
  "forever",
)
check("no logs do not prove that the node has the block", Evm.GetLogs, [{ blockHash: hash }], [], "changing")
check(
  "logs of another block prove nothing",
  Evm.GetLogs,
  [{ blockHash: hash }],
  [log({ blockHash: `0x${"cd".repeat(32)}` })],
  "changing",
)
check("logs that were taken back may change", Evm.GetLogs, [{ blockHash: hash }], [log({ removed: true })], "changing")
check("logs by number depend on the last block", Evm.GetLogs, [{ fromBlock: "0x1", toBlock: "0x10" }], [], {
  onceFinal: 16n,
})
check("logs up to a tag change", Evm.GetLogs, [{ fromBlock: "0x1", toBlock: "finalized" }], [], "changing")
check("logs from a tag change", Evm.GetLogs, [{ fromBlock: "earliest", toBlock: "0x10" }], [], "changing")
check("logs without bounds are of the latest block", Evm.GetLogs, [{}], [log()], "changing")
check("logs without an end are of the latest block", Evm.GetLogs, [{ fromBlock: "0x1" }], [], "changing")
check("storage at a number depends on that block", Evm.GetStorageAt, [address, "0x0", "0x1b4"], hash, {
  onceFinal: 436n,
})
for (const tag of ["latest", "earliest", "pending", "safe", "finalized"])
  check(`storage at ${tag} changes`, Evm.GetStorageAt, [address, "0x0", tag], hash, "changing")
check(
  "a receipt depends on its block",
  Evm.GetTransactionReceipt,
  [hash],
  { blockNumber: "0x1b4" },
  { onceFinal: 436n },
)
check("no receipt may come yet", Evm.GetTransactionReceipt, [hash], null, "changing")
check(
  "blocks by number depend on the last",
  Evm.GetBlockRange,
  ["0x1", "0x2", false],
  [{ number: "0x1" }, { number: "0x2" }],
  { onceFinal: 2n },
)
check("blocks that are not all there", Evm.GetBlockRange, ["0x1", "0x2", false], [{ number: "0x1" }], "changing")
check("blocks up to a tag", Evm.GetBlockRange, ["0x1", "latest", false], [{ number: "0x2" }], "changing")
