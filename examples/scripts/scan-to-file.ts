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
if (!(Number(credits) >= 0)) {
  console.error(`usage: scan-to-file.ts FILE CREDITS; "${credits}" is not a number of credits`)
  process.exit(2)
}
const budget = CreditBudget.makeAllowance({ name: "the budget", limit: Number(credits) })
const filter: Evm.Filter = { fromBlock: "0x0", toBlock: "0x3e7" }
const savedFile = `${file}.checkpoint`

/** Where an earlier run stopped. What it had written after its checkpoint is read and written again. */
const resume = Effect.try({
  try: (): RangeScan.ScanOptions => {
    const saved = existsSync(savedFile) ? Json.parse(readFileSync(savedFile, "utf8")) : undefined
    const { bytes = 0, checkpoint = null } = Json.isObject(saved) ? saved : {}
    const decoded = saved === undefined ? undefined : RangeScan.decodeCheckpoint(checkpoint)
    if (decoded !== undefined && "problem" in decoded) throw new Error(decoded.problem)
    if (decoded === undefined) writeFileSync(file, "")
    if (typeof bytes !== "number" || statSync(file).size < bytes) throw new Error(`it is not of this ${file}`)
    truncateSync(file, bytes)
    return decoded === undefined ? {} : { checkpoint: decoded }
  },
  catch: (error) => ({ message: `${savedFile} cannot be used: ${String(error)}`, advice: "Delete it to start again." }),
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

const scan = (from: RangeScan.ScanOptions) =>
  RangeScan.parts(Evm.GetLogs, [filter], from).pipe(
    Stream.runForEach(save),
    CreditBudget.withAllowance(budget),
    Effect.mapError(({ advice, message }) => ({ message, advice: `${advice}\nThe same command resumes from here.` })),
    Effect.ensuring(Effect.suspend(() => Console.log(`${budget.calls} calls, ${budget.spent} credits`))),
  )

const program = Effect.flatMap(resume, scan).pipe(
  Effect.andThen(Console.log("The scan is complete.")),
  Effect.catch(({ advice, message }) => {
    process.exitCode = 1
    return Console.error(`${message}\n${advice}`)
  }),
)

const network = defineNetwork({ id: "evm", plugin: "evm", url: process.env["RPC_URL"] ?? "embedded:evm" })
const client = RpcClient.layerMetered({ networks: [network] }).pipe(
  Layer.provide(CreditLedger.layerMemory({ daily: 3_000_000 })),
  Layer.provide(EmbeddedGateway.layer()),
  Layer.provide(HttpTransport.layer()),
)

NodeRuntime.runMain(Effect.provide(program, client))
