/**
 * Writes every log of a chain to a file, one JSON object per line, within a budget. Press Ctrl-C, kill it, or let the budget
 * run out: the same command goes on where it stopped, and no log is paid for, lost or written twice.
 *
 *   pnpm exec node examples/scripts/scan-to-file.ts logs.ndjson 600
 *   RPC_URL=https://mainnet.example/v3/KEY pnpm exec node examples/scripts/scan-to-file.ts logs.ndjson 100000
 */
import { CreditBudget, CreditLedger, HttpTransport, RangeScan, RpcClient } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, Json } from "@dotrpc/spec"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Stream } from "effect"
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs"

const [file = "logs.ndjson", credits = "5000"] = process.argv.slice(2)
const query = [{ fromBlock: "0x0", toBlock: "0x3e7" }]
const budget = CreditBudget.makeAllowance({ name: "the budget", limit: Number(credits) })

/** Where an earlier run stopped, and how much of the file it had written by then. */
const savedFile = `${file}.checkpoint`
const resume = Effect.sync(() => {
  const saved = existsSync(savedFile) ? Json.parse(readFileSync(savedFile, "utf8")) : undefined
  if (!Json.isObject(saved) || saved.checkpoint === undefined || typeof saved.bytes !== "number") {
    writeFileSync(file, "")
    return {}
  }
  // What was written after the checkpoint is read and written again.
  truncateSync(file, saved.bytes)
  const checkpoint = RangeScan.decodeCheckpoint(saved.checkpoint)
  return "problem" in checkpoint ? {} : { checkpoint }
})

/** The logs first, then the checkpoint behind them, which is replaced as a whole. Nothing interrupts this half-way. */
const save = ({ checkpoint, items }: RangeScan.Part) =>
  Effect.sync(() => {
    appendFileSync(file, items.map((log) => `${Json.stringify(log)}\n`).join(""))
    if (checkpoint === undefined) return
    const saved = { bytes: statSync(file).size, checkpoint: RangeScan.encodeCheckpoint(checkpoint) }
    writeFileSync(`${savedFile}.next`, Json.stringify(saved))
    renameSync(`${savedFile}.next`, savedFile)
  })

const program = Stream.unwrap(Effect.map(resume, (from) => RangeScan.parts(Evm.GetLogs, query, from))).pipe(
  Stream.runForEach(save),
  CreditBudget.withAllowance(budget),
  Effect.tap(Console.log("The scan is complete.")),
  Effect.tapError((error) => Console.error(`${error.message}\n${error.advice}\nThe same command goes on from here.`)),
  Effect.ensuring(Effect.suspend(() => Console.log(`${budget.calls} calls, ${budget.spent} credits`))),
)

const network = defineNetwork({ id: "evm", plugin: "evm", url: process.env["RPC_URL"] ?? "embedded:evm" })
const client = RpcClient.layerMetered({ networks: [network] }).pipe(
  Layer.provide(CreditLedger.layerMemory({ daily: 3_000_000 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

NodeRuntime.runMain(Effect.provide(program, client), { disableErrorReporting: true })
