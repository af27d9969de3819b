/**
 * A loop over viem's `getLogs` that writes NDJSON, as programs without a planner have it: `replayLoop.ts WAY URL LAST FILE`. `fixed` asks
 * for 2,000 blocks, and halves what is refused; `growing` begins with 500, asks for a twentieth more after each answer and for half
 * after each refusal, as ponder does.
 */
import { createWriteStream } from "node:fs"
import { once } from "node:events"
import { createPublicClient, http } from "viem"

const [, , way = "", url = "", last = "", file = ""] = process.argv
// A refused range stays too large, however often it is asked for: viem would ask three more times.
const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: 120_000 }) })
const output = createWriteStream(file)

const asText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `0x${value.toString(16)}` : value)

/** Whether the range was answered; its logs are written then. */
const read = async (from: number, to: number): Promise<boolean> => {
  const logs = await client.getLogs({ fromBlock: BigInt(from), toBlock: BigInt(to) }).catch((error: unknown) => {
    if (String(error).includes("query returned more than")) return undefined
    throw error
  })
  if (logs === undefined) return false
  const text = logs.map((log) => `${JSON.stringify(log, asText)}\n`).join("")
  if (!output.write(text)) await once(output, "drain")
  return true
}

const halving = async (from: number, to: number): Promise<void> => {
  if (await read(from, to)) return
  const middle = Math.floor((from + to) / 2)
  await halving(from, middle)
  await halving(middle + 1, to)
}

const end = Number(last)
if (way === "fixed") for (let from = 0; from <= end; from += 2_000) await halving(from, Math.min(end, from + 1_999))
else {
  let step = 500
  for (let from = 0; from <= end;) {
    const to = Math.min(end, from + Math.max(1, Math.floor(step)) - 1)
    const answered = await read(from, to)
    step = answered ? step * 1.05 : (to - from + 1) / 2
    if (answered) from = to + 1
  }
}
output.end()
await once(output, "close")
