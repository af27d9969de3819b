/** A configuration that sends a key to another server: the person is asked first, in both hosts. */
import { deepEqual, equal, match } from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { untilSeen } from "./untilSeen.ts"
import { withFolder } from "./window.ts"

const key = "canary-8c41d7"

const request = `### With a key
# @name keyed
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

const configFor = (origin: string): string =>
  JSON.stringify({ networks: { main: { plugin: "evm", url: `${origin}/v3/{{$secret.HOST_KEY}}` } } })

for (const extensionHost of hosts) {
  test(`a key goes to another host when a person agrees, ${extensionHost} host`, async () => {
    await using good = await startCountingServer()
    await using other = await startCountingServer()
    const files = { "some.rpc": request, "rpc.config.json": configFor(good.origin), ".env": `HOST_KEY=${key}\n` }
    await withFolder({ name: `secretHosts-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const hostOf = ({ origin }: { readonly origin: string }) => new URL(origin).host
      const dialog = page.getByRole("dialog", { name: /Send HOST_KEY to/ })
      const seesNoKey = async () => equal((await page.content()).includes(key), false)
      await workbench.openFile("some.rpc")
      if (extensionHost === "web") {
        // A browser has no `.env`.
        await workbench.until("the key is missed", async () => (await workbench.lensTitles())[0] === "Run · has errors")
        await workbench.runCommand("dotrpc: Set Secret")
        await workbench.answer("HOST_KEY")
        await page.getByLabel("Value of HOST_KEY").waitFor()
        await workbench.answer(key)
      }
      await workbench.until(
        "its first host is named",
        async () => (await workbench.lensTitles())[0] === `Run · 80 credits · main @ ${hostOf(good)}`,
      )
      await workbench.clickLens(`Run · 80 credits · main @ ${hostOf(good)}`)
      await workbench.waitForText("keyed · 80 credits")
      deepEqual(good.paths, [`/v3/${key}`])

      const lens = `Run · 80 credits · main @ ${hostOf(other)}`
      const changed = { path: join(workbench.workspace, "rpc.config.json"), text: configFor(other.origin) }
      await untilSeen(
        workbench,
        changed,
        "the other host is named",
        async () => (await workbench.lensTitles())[0]?.startsWith(lens) === true,
      )
      await workbench.clickLens(lens)
      await dialog.waitFor()
      match(
        await dialog.innerText(),
        new RegExp(`Send HOST_KEY to ${hostOf(other)}\\?\\s+HOST_KEY was only ever sent to ${hostOf(good)}\\.`),
      )
      // A careless Enter sends nothing.
      equal(await page.evaluate(() => document.activeElement?.textContent), "Open rpc.config.json")
      await seesNoKey()
      await workbench.screenshot("asked")
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await workbench.waitForText(`Nothing was sent: HOST_KEY was not allowed for ${hostOf(other)}.`)
      deepEqual(other.paths, [])

      await workbench.clickLens(lens)
      await dialog.getByRole("button", { name: "Send" }).click()
      await workbench.until("it was sent", () => Promise.resolve(other.paths.length === 1))
      await workbench.until("it is done", async () =>
        (await workbench.decorationTexts()).some((text) => text.startsWith("✓")),
      )
      await workbench.clickLens(lens)
      await workbench.until("it was sent without a question", () => Promise.resolve(other.paths.length === 2))
      equal(await dialog.count(), 0)
      await seesNoKey()
    })
  })
}
