/** A balance that a team has on a server. */
import { test } from "node:test"

import { startRedis } from "@dotrpc/redis"

import { inTerminal, spentIn } from "./terminal.ts"
import { withFolder } from "./window.ts"

test("a team's server counts for the editor and for terminals", async () => {
  await using server = await startRedis()
  const networks = { main: { plugin: "evm", url: "embedded:evm" } }
  const files = {
    "rpc.config.json": JSON.stringify({ networks, ledger: `redis://127.0.0.1:${server.port}` }),
    "logs.rpc": '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
  }
  await withFolder({ name: "credits-server", files }, async (workbench) => {
    await workbench.openFile("logs.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.waitForText("2,999,745 credits left · 255 today")
    await workbench.until("the terminal knows of it", async () => (await spentIn(workbench)) === 255)
    await inTerminal(workbench, "run", "logs.rpc")
    await workbench.waitForText("2,999,490 credits left · 510 today")
  })
})
