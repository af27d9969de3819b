/** The environment at the cursor, and secrets that are removed again, in both hosts. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const config = {
  networks: { main: { plugin: "evm", url: "embedded:evm" } },
  environments: { prod: { vars: {} }, stage: { vars: {} } },
}

const files = {
  "rpc.config.json": JSON.stringify(config),
  "two.rpc": "### A\n# @env prod\neth_getLogs [{}]\n\n### B\neth_getLogs [{}]\n",
}

for (const extensionHost of hosts) {
  test(`the status bar names the environment at the cursor, ${extensionHost} host`, () =>
    withFolder({ name: `environment-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const entry = page.locator("#dotrpc\\.dotrpc\\.dotrpc\\.environment")
      const says = (words: string) =>
        workbench.until(`the status bar says ${words}`, async () => (await entry.innerText()).trim() === words)
      await workbench.openFile("two.rpc")
      await workbench.goToLine(6)
      await says("no environment")
      await workbench.goToLine(3)
      await says("prod · # @env")
      await workbench.screenshot("said")
      await entry.click()
      await page.getByPlaceholder("For requests without # @env; at the cursor, # @env chooses prod").waitFor()
      await workbench.choose("stage")
      await workbench.goToLine(6)
      await says("stage")

      await workbench.runCommand("dotrpc: Open as Notebook")
      const cells = await workbench.codeCells()
      await cells.nth(0).click()
      await says("prod · # @env")
      await workbench.editCell(1)
      await says("stage")
      await workbench.runCommand("dotrpc: Select Environment")
      await workbench.choose("No environment")
      await says("no environment")
      await workbench.screenshot("notebook")
    }))

  test(`a secret is removed after its hosts are shown, ${extensionHost} host`, () =>
    withFolder({ name: `secret-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      const key = "canary-90c4b1"
      const name = "FLOW_KEY"
      await workbench.openFile("two.rpc")
      await workbench.runCommand("dotrpc: Set Secret")
      await nameSecret(workbench, name)
      await page.getByLabel(`Value of ${name}`).waitFor()
      await workbench.answer(key)
      await workbench.waitForText(`${name} is stored.`)
      await workbench.runCommand("dotrpc: Remove Secret")
      await workbench.waitForText("not sent anywhere yet")
      await workbench.choose(name)
      const dialog = page.getByRole("dialog", { name: `Remove ${name}?` })
      match(await dialog.innerText(), /do not run until it is set again/)
      await workbench.screenshot("asked")
      await dialog.getByRole("button", { name: "Remove" }).click()
      await workbench.waitForText(`${name} was removed from the secret store.`)
      await workbench.runCommand("dotrpc: Remove Secret")
      await workbench.until("it is gone", async () => {
        const listed = await page.locator(".quick-input-list").getByText(name).count()
        return listed === 0
      })
      equal((await page.content()).includes(key), false)
    }))
}

/** The list of names is open when a window before this one has stored some. */
const nameSecret = async ({ answer, choose, page }: Workbench, name: string): Promise<void> => {
  const another = page.locator(".quick-input-list").getByText("Another secret…")
  const input = page.getByPlaceholder("API_KEY")
  await another.or(input).first().waitFor()
  if ((await another.count()) > 0) await choose("Another secret…")
  await input.waitFor()
  await answer(name)
}
