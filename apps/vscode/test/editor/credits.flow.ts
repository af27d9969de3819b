/** The balance that the editor shows: shared with terminals where there is a ledger file, and its own in a browser. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { inTerminal, spentIn } from "./terminal.ts"
import { withFolder, withWindow } from "./window.ts"

const files = {
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: "embedded:evm" } }, ledger: "file" }),
  "logs.rpc": '### Logs\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]\n',
}

test("a terminal and the editor spend from one balance", () =>
  withWindow({ name: "credits-node", files }, async (workbench) => {
    await workbench.openFile("logs.rpc")
    await workbench.waitForText("3,000,000 credits left")
    await inTerminal(workbench, "run", "logs.rpc")
    await workbench.waitForText("2,999,745 credits left · 255 today · resets in")
    await workbench.clickLens("Run · 255 credits")
    await workbench.waitForText("2,999,490 credits left · 510 today")
    await workbench.until("the terminal knows of it", async () => (await spentIn(workbench)) === 510)

    await workbench.runCommand("dotrpc: Show Credits")
    await workbench.viewRows("2,999,490 left").waitFor()
    match(await workbench.viewRows("eth_getLogs").first().innerText(), /^510\s*eth_getLogs/)
    match(await workbench.viewRows("main").first().innerText(), /^510\s*main/)
    await workbench.screenshot("view")
  }))

test("a browser says that it counts for itself", () =>
  withFolder({ name: "credits-web", files, extensionHost: "web" }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("logs.rpc")
    // Flows before this one may have spent of the same workspace.
    const credits = page.locator('[id="dotrpc.dotrpc.dotrpc.credits"]')
    const left = async () => Number(/([\d,]+) credits left/.exec(await credits.innerText())?.[1]?.replaceAll(",", ""))
    await workbench.waitForText("credits left")
    const before = await left()
    await workbench.clickLens("Run · 255 credits")
    await workbench.until("the run is counted", async () => (await left()) === before - 255)
    equal(await credits.count(), 1)
    await credits.hover()
    await workbench.waitForText("Kept for this workspace: in a browser there is no ledger file.")
    await workbench.screenshot("counted-here")
  }))
