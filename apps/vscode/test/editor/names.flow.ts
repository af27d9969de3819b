/** Names of addresses: looked up when somebody asks for it and agrees to the price, and never by themselves. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import type { ExtensionHost, Workbench } from "@dotrpc/vscode-host"

import { startNameServer } from "./NameServer.ts"
import { withFolder } from "./window.ts"

const treasury = `0x${"a1".repeat(20)}`
const lookalike = `0x${"b2".repeat(20)}`
const misleading = `0x${"c3".repeat(20)}`
const nobody = `0x${"d4".repeat(20)}`
const accounts = [treasury, lookalike, misleading, nobody]
const claims = { [treasury]: "treasury.eth", [lookalike]: "tre\u0430sury.eth", [misleading]: "0x5fbdb2315678.eth" }
const expected = [`treasury.eth (${treasury})`, `tre\\u{430}sury.eth (${lookalike})`, misleading, nobody]

const filesOf = (origin: string) => ({
  "a.rpc": '### Logs\n# @network main\neth_getLogs [{ "fromBlock": "0x10", "toBlock": "0x10" }]\n',
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", chainId: 11155111, url: `${origin}/rpc` } } }),
})

const dialog = ({ page }: Workbench) => page.locator(".monaco-dialog-box")

/** The addresses as the first cells of their rows show them. */
const shown = async ({ webview }: Workbench): Promise<ReadonlyArray<string>> => {
  const cells = await webview().locator("tr[data-position] td").allInnerTexts()
  return cells.filter((text) => /0x[\da-f]{40}/.test(text) && !/0x[\da-f]{64}/.test(text))
}

const lookUp = async (workbench: Workbench, calls: ReadonlyArray<string>) => {
  await workbench.webview().getByRole("button", { name: "Look up names" }).click()
  await workbench.waitForText("Look up the names of 4 addresses in ENS at main")
  match(await dialog(workbench).innerText(), /up to 4 calls for each address/)
  equal(calls.filter((method) => method !== "eth_getLogs").length, 0)
  await workbench.screenshot("asks")
  await dialog(workbench).getByRole("button", { name: "Look Up" }).click()
  await workbench.waitForText("2 of 4 addresses have a name in ENS; 1 more is not shown, as they could mislead")
  await workbench.until("the names are shown", async () => (await shown(workbench)).join() === expected.join())
  const isCut = (cell: Element) => cell.scrollWidth > cell.clientWidth
  equal(await workbench.webview().locator("td.named").first().evaluate(isCut), false)
}

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`names of addresses are looked up when asked, ${extensionHost} host`, async () => {
    await using server = await startNameServer(accounts, claims)
    const files = filesOf(server.origin)
    await withFolder({ name: `names-${extensionHost}`, extensionHost, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.clickLens("Run · ")
      await workbench.inlineThreadText()
      await page.getByText("Open rows").click()
      await workbench.webview().locator("tr[data-position='3']").waitFor()
      equal((await shown(workbench)).join(), accounts.join())
      await workbench.webview().getByRole("button", { name: "Look up names" }).click()
      await dialog(workbench).getByRole("button", { name: "Cancel" }).click()
      equal(server.calls.join(), "eth_getLogs")
      await lookUp(workbench, server.calls)
      await workbench.screenshot("names")
      const asked = server.calls.length
      await workbench.webview().getByRole("button", { name: "Run again" }).click()
      await workbench.until("it ran again", async () => server.calls.length > asked)
      await workbench.until("names stay known", async () => (await shown(workbench)).join() === expected.join())
      equal(server.calls.length, asked + 1)
      await workbench.webview().getByRole("button", { name: "Look up names" }).click()
      await workbench.waitForText("was looked up in the last 24 hours")
      equal(server.calls.length, asked + 1)
    })
  })
}

test("names of addresses are looked up from a notebook", async () => {
  await using server = await startNameServer(accounts, claims)
  await withFolder({ name: "names-notebook", files: filesOf(server.origin) }, async (workbench) => {
    await workbench.openFile("a.rpc")
    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.codeCells()
    await workbench.runCommand("Notebook: Run All")
    await workbench.webview().locator("tr[data-position='3']").waitFor()
    await lookUp(workbench, server.calls)
    await workbench.screenshot("names")
  })
})
