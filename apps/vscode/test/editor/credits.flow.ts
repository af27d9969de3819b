/** The balance that the editor shows: shared with terminals where there is a ledger file, and its own in a browser. */
import { equal, match } from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

import { startRedis } from "@dotrpc/redis"
import { withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { withFolder } from "./window.ts"

const files = {
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: "embedded:evm" } }, ledger: "file" }),
  "logs.rpc": '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
}

const command = fileURLToPath(new URL("../../../cli/dist/dotrpc.mjs", import.meta.url))

/** `dotrpc`, as it is run in a terminal of the user whose editor this is. */
const inTerminal = async ({ root, workspace }: Workbench, ...args: ReadonlyArray<string>): Promise<string> => {
  const home = join(root, "home")
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, ".local/share") }
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { cwd: workspace, env })
  return stdout
}

/** The credits that a terminal knows to be spent. */
const spentIn = async (workbench: Workbench): Promise<unknown> =>
  JSON.parse(await inTerminal(workbench, "credits", "--format", "json")).spent

test("a terminal and the editor spend from one balance", () =>
  withWorkbench({ name: "credits-node", extensions: [packed], files }, async (workbench) => {
    await workbench.openFile("logs.rpc")
    await workbench.waitForText("3,000,000 credits left")
    await inTerminal(workbench, "run", "logs.rpc")
    await workbench.waitForText("2,999,745 credits left · 255 today · resets in")
    await workbench.clickLens("Run · 255 credits")
    await workbench.waitForText("2,999,490 credits left · 510 today")
    await workbench.until("the terminal knows of it", async () => (await spentIn(workbench)) === 510)

    await workbench.runCommand("dotrpc: Show Credits")
    await workbench.viewRows("2,999,490 left").waitFor()
    match(await workbench.viewRows("eth_getLogs").first().innerText(), /510/)
    match(await workbench.viewRows("main").first().innerText(), /510/)
    await workbench.screenshot("view")
  }))

test("a team's server counts for the editor and for terminals", async () => {
  await using server = await startRedis()
  const shared = {
    ...files,
    "rpc.config.json": files["rpc.config.json"].replace(
      '"ledger":"file"',
      `"ledger":"redis://127.0.0.1:${server.port}"`,
    ),
  }
  await withFolder({ name: "credits-server", files: shared }, async (workbench) => {
    await workbench.openFile("logs.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.waitForText("2,999,745 credits left · 255 today")
    await workbench.until("the terminal knows of it", async () => (await spentIn(workbench)) === 255)
    await inTerminal(workbench, "run", "logs.rpc")
    await workbench.waitForText("2,999,490 credits left · 510 today")
  })
})

test("a browser says that it counts for itself", () =>
  withFolder({ name: "credits-web", files, extensionHost: "web" }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("logs.rpc")
    await workbench.clickLens("Run · 255 credits")
    await workbench.waitForText("2,999,745 credits left · 255 today")
    equal(await page.locator('[id="dotrpc.dotrpc.dotrpc.credits"]').count(), 1)
    await page.locator('[id="dotrpc.dotrpc.dotrpc.credits"]').hover()
    await workbench.waitForText("Counted in this window: in a browser there is no ledger file.")
    await workbench.screenshot("counted-here")
  }))
