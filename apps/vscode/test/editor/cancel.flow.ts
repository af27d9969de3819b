/** A request that is never answered is stopped, and its key is nowhere, in both extension hosts. */
import { deepEqual, equal, match } from "node:assert/strict"
import { test } from "node:test"

import { bothHosts } from "@dotrpc/vscode-host"

import { filesWith, slow, slowConfig } from "./files.ts"
import { startSilentServer } from "./SilentServer.ts"
import { withFolder } from "./window.ts"

const canary = "canary-4f1b2c9d7e8a6053"

for (const extensionHost of bothHosts) {
  test(`a request is stopped and keeps its key to itself, ${extensionHost} host`, async () => {
    await using server = await startSilentServer()
    const files = {
      "slow.rpc": slow,
      "rpc.config.json": slowConfig(server.origin, "SLOW_KEY"),
      ...(extensionHost === "node" ? { ".env": `SLOW_KEY=${canary}\n` } : {}),
    }
    await withFolder({ name: `cancel-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("slow.rpc")
      if (extensionHost === "web") {
        // A browser has no `.env`: without its key the request is marked, and the secret store takes it.
        await workbench.until("the key is missed", async () => (await workbench.lensTitles())[0] === "Run · has errors")
        await workbench.runCommand("dotrpc: Set Secret")
        await workbench.answer("SLOW_KEY")
        await page.getByLabel("Value of SLOW_KEY").waitFor()
        await workbench.answer(canary)
      }
      await workbench.until(
        "it can be run",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
      )
      await workbench.clickLens("Run · 80 credits")
      await workbench.until("it was sent", async () => server.taken.length === 1)
      deepEqual(server.taken, [`/evm/v3/${canary}`])
      await page.getByRole("dialog", { name: /waits.*notification/ }).waitFor()
      match((await workbench.decorationTexts())[0] ?? "", /^… running/)
      await workbench.screenshot("running")

      await workbench.clickLens("Running · Cancel")
      await workbench.until(
        "it says so",
        async () => (await workbench.decorationTexts())[0] === "cancelled · 80 credits",
      )
      await workbench.until("the server was hung up on", async () => server.givenUp() === 1)
      await workbench.until(
        "it can be run again",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
      )
      equal(server.taken.length, 1)

      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await workbench.runCommand("dotrpc: Copy as curl")
      await workbench.waitForText("Copied waits as curl")
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      match(copied, /^# Set SLOW_KEY first\.\ncurl -s "http:\/\/127\.0\.0\.1:\d+\/evm\/v3\/\$SLOW_KEY"/)

      equal(copied.includes(canary), false, "the copied command holds the key")
      equal((await page.content()).includes(canary), false, "the window holds the key")
      deepEqual(await filesWith(canary, workbench.root), [])
    })
  })
}
