/** What dividing a range among workers costs on a real node, whose calls may cover twenty blocks. */
import { Json } from "@dotrpc/spec"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { dotrpc } from "../src/Dotrpc.ts"

const blocks = 2_000

it("reads a chain with four workers for 5 % more calls than one scan at most", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
  const node = await startAnvil()
  const run = async (...args: ReadonlyArray<string>) => {
    const ended = await dotrpc(args, { HOME: folder }, folder)
    expect(ended.exitCode, ended.stderr).toBe(0)
    return ended
  }
  try {
    await ask(node.url, "anvil_mine", [`0x${blocks.toString(16)}`])
    const networks = { evm: { plugin: "evm", url: node.url, spanCap: 20 } }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks }))
    const params = JSON.stringify([{ fromBlock: "0x0", toBlock: `0x${(blocks - 100).toString(16)}` }])
    const { stderr } = await run("scan", "eth_getLogs", params, "--output", "scan.ndjson")
    const scan = Number(/(\d+) calls/.exec(stderr)?.[1])
    expect(scan).toBeGreaterThan(90)
    await run("backfill", "start", "eth_getLogs", params, "--output", "logs", "--parallel", "4")
    const { stdout } = await run("backfill", "status", "--output", "logs", "--format", "json")
    const [status] = Json.parse(stdout) as ReadonlyArray<{ readonly state: string; readonly calls: number }>
    expect(status?.state).toBe("done")
    expect(status?.calls).toBeLessThanOrEqual(scan * 1.05)
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true })
  }
})
