/** A backfill that follows anvil while the newest blocks are replaced, again and again: only final blocks reach its files. */
import { Json } from "@dotrpc/spec"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startAnvil } from "../src/AnvilNode.ts"
import { ask } from "../src/ask.ts"
import { startDotrpc } from "../src/Dotrpc.ts"

const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

/** Anvil takes blocks for final that have so many after them. */
const blocksToFinal = 64

const keyOf = (log: Json.Json): string =>
  Json.isObject(log) ? `${String(log["blockHash"])} ${String(log["logIndex"])}` : "not a log"

/** The last block and the logs that a reader of the folder finds. */
const writtenIn = (folder: string): { readonly to: number; readonly logs: ReadonlyArray<string> } => {
  const path = join(folder, "_manifest.json")
  if (!existsSync(path)) return { to: -1, logs: [] }
  const manifest = Json.parse(readFileSync(path, "utf8"))
  if (!Json.isObject(manifest) || !Json.isArray(manifest["parts"])) throw new Error("it is not a manifest")
  const parts = manifest["parts"].filter(Json.isObject)
  const lines = parts.flatMap(({ file }) => readFileSync(join(folder, String(file)), "utf8").split("\n"))
  return {
    to: Math.max(-1, ...parts.map(({ to }) => Number(to))),
    logs: lines.filter((line) => line !== "").map((line) => keyOf(Json.parse(line))),
  }
}

it("writes no log of a block that a reorganization replaced, and each of the others once", async () => {
  const room = mkdtempSync(join(tmpdir(), "dotrpc-backfill-"))
  const folder = join(room, "logs")
  const node = await startAnvil()
  const mine = (blocks: number) => ask(node.url, "anvil_mine", [`0x${blocks.toString(16)}`])
  const head = async () => Number(await ask(node.url, "eth_blockNumber", []))
  /** A contract that only writes a log while it is created, in a block of its own, which anvil makes after it has answered. */
  const writeLog = async () => {
    const next = (await head()) + 1
    await ask(node.url, "eth_sendTransaction", [{ from: account, data: "0x602a60006000a100" }])
    await expect.poll(head).toBe(next)
  }
  const logsUpTo = async (to: number | "latest") => {
    const toBlock = to === "latest" ? to : `0x${to.toString(16)}`
    const logs: Json.Json = await ask(node.url, "eth_getLogs", [{ fromBlock: "0x0", toBlock }])
    if (!Json.isArray(logs)) throw new Error("the node sent no list of logs")
    return logs.map(keyOf)
  }
  const replaced = new Set<string>()
  try {
    for (let at = 0; at < 3; at++) await writeLog()
    await mine(2 * blocksToFinal)
    writeFileSync(
      join(room, "rpc.config.json"),
      JSON.stringify({ networks: { evm: { plugin: "evm", url: node.url } } }),
    )
    const query = '[{"fromBlock":"0x0","toBlock":"finalized"}]'
    const args = [
      "backfill",
      "start",
      "eth_getLogs",
      query,
      "--output",
      "logs",
      "--format",
      "ndjson",
      "--follow",
      "--every",
      "1",
    ]
    const running = startDotrpc(args, { XDG_DATA_HOME: room }, room)
    for (const depth of [1, 2, 5]) {
      for (let at = 0; at < depth; at++) await writeLog()
      const before = await logsUpTo("latest")
      await ask(node.url, "anvil_reorg", [depth, []])
      await writeLog()
      const after = new Set(await logsUpTo("latest"))
      for (const log of before) if (!after.has(log)) replaced.add(log)
      await mine(blocksToFinal)
      const last = (await head()) - blocksToFinal
      await expect.poll(() => writtenIn(folder).to).toBeGreaterThanOrEqual(last)
    }
    running.send("SIGINT")
    expect(await running.ended, running.stderr()).toBe(130)
    const { logs, to } = writtenIn(folder)
    expect(replaced.size).toBe(8)
    expect(logs.filter((log) => replaced.has(log))).toEqual([])
    expect(logs).toEqual(await logsUpTo(to))
    expect(logs).toHaveLength(6)
  } finally {
    await node.stop()
    rmSync(room, { recursive: true, force: true })
  }
})
