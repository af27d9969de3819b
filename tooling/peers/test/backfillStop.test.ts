/** A worker that is interrupted waits for the calls that it has sent, keeps what they bring, and sends no other. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@dotrpc/spec"
import { isDeep } from "@dotrpc/vitest/depth"
import { expect, it } from "vitest"
import { startCountingNode } from "../src/CountingNode.ts"
import { finished, startDotrpc } from "../src/Dotrpc.ts"

/** Calls that are answered at once. */
const atOnce = 40

/** Pieces that are read at once: each waits for one call. */
const workers = 2

/** All of the range by twenties, and a few cuts that are shorter. */
const mostCalls = 0x600 / 20 + 8

const check = (signal: NodeJS.Signals, code: number) =>
  it(`${signal} ends a worker after the calls that it waits for`, async () => {
    const room = mkdtempSync(join(tmpdir(), "dotrpc-stop-"))
    let sent = 0
    let held = 0
    let isHolding = true
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const node = await startCountingNode(Date.now, ({ method }) => {
      if (method === "eth_getLogs") sent++
      if (!isHolding || sent <= atOnce) return undefined
      held++
      return released
    })
    try {
      const networks = { evm: { plugin: "evm", url: node.urlOf("stop"), spanCap: 20 } }
      writeFileSync(join(room, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
      const env = { XDG_DATA_HOME: join(room, "data"), XDG_CACHE_HOME: join(room, "cache") }
      const backfill = (...args: ReadonlyArray<string>) => startDotrpc(["backfill", ...args], env, room)
      const query = Json.stringify([{ fromBlock: "0x0", toBlock: "0x5ff" }])
      const worker = backfill(
        "start",
        "eth_getLogs",
        query,
        "--output",
        "logs",
        "--max-credits",
        "999999",
        "--parallel",
        `${workers}`,
      )
      // Nothing more is sent until one of them is answered.
      await expect.poll(() => held).toBe(workers)
      await worker.interrupt(signal)
      const before = sent
      isHolding = false
      release()
      expect(await worker.ended, worker.stderr()).toBe(code)
      expect(sent).toBe(before)
      expect(worker.stderr()).toContain("interrupted: ")
      // What those brought is kept.
      const resumed = await finished(backfill("resume", "--output", "logs"), env)
      expect(resumed.exitCode, resumed.stderr).toBe(0)
      expect(sent).toBeLessThanOrEqual(mostCalls)
    } finally {
      release()
      await node.close()
      rmSync(room, { recursive: true })
    }
  })
check("SIGINT", 130)
if (isDeep) check("SIGTERM", 130)
