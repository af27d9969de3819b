/** `dotrpc mcp` and the inspector of the Model Context Protocol, as its authors publish it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { startChild } from "../src/Child.ts"
import { commandFile } from "../src/Dotrpc.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-inspector-"))
afterAll(() => rmSync(folder, { recursive: true }))

const files = {
  "rpc.config.json": { networks: { evm: { plugin: "evm", url: "embedded:evm" } }, ledger: "memory" },
  "mcp.json": {
    mcpServers: {
      chain: {
        command: process.execPath,
        args: [commandFile(), "mcp", "a.rpc", "--max-credits", "300"],
        cwd: folder,
      },
    },
  },
}
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content))
writeFileSync(
  join(folder, "a.rpc"),
  '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0xff" }]\n?? result.length > 1\n' +
    '\n### Again\n# @name again\neth_getLogs [{ "fromBlock": {{logs.result[0].blockNumber}}, "toBlock": "0xff" }]\n',
)

/** Starts the inspector without a page, and a server for it; gives what it prints. */
const inspect = async (...args: ReadonlyArray<string>) => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")
  const program = join(dirname(manifest), "clients/launcher/build/index.js")
  const child = startChild(
    process.execPath,
    [program, "--cli", "--config", "mcp.json", "--server", "chain", "--method", ...args],
    { cwd: folder, env: { HOME: folder, MCP_INSPECTOR_SECRET_STORE: "memory" } },
  )
  const exitCode = await child.ended
  return { exitCode, said: child.stderr(), answer: child.stdout() === "" ? {} : JSON.parse(child.stdout()) }
}

it("lists tools whose schemas every client reads", async () => {
  const { answer, exitCode, said } = await inspect("tools/list", "--strict")
  expect([exitCode, /Warning|Error/.exec(said)]).toEqual([0, null])
  expect(answer.tools.map(({ name }: { readonly name: string }) => name)).toEqual(
    expect.arrayContaining([
      "list",
      "price",
      "run",
      "call",
      "scan_plan",
      "scan",
      "rows",
      "credits",
      "explain",
      "methods",
    ]),
  )
})

it("gives a price, runs a request for it, and refuses what the purse does not have", async () => {
  const tool = (name: string, ...args: ReadonlyArray<string>) =>
    inspect("tools/call", "--tool-name", name, ...args.flatMap((arg) => ["--tool-arg", arg]))
  const { answer: price } = await tool("price", "name=logs")
  expect(price.structuredContent).toMatchObject({ credits: { spent: 0, left: 300 }, price: { min: 255, max: 255 } })
  const { answer: run } = await tool("run", "name=logs")
  expect(run.structuredContent).toMatchObject({
    credits: { spent: 255, left: 45 },
    status: "ok",
    checks: [{ ok: true }],
  })
  const { answer: refused, exitCode } = await tool("run", "name=again")
  expect(refused).toMatchObject({ isError: true, structuredContent: { credits: { spent: 0, left: 300 } } })
  expect(exitCode).not.toBe(0)
})
