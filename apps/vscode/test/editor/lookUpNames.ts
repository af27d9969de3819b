/** Accounts with names of every kind, and how a person looks them up. */
import { equal, match } from "node:assert/strict"

import type { Workbench } from "@dotrpc/vscode-host"

const treasury = `0x${"a1".repeat(20)}`
const lookalike = `0x${"b2".repeat(20)}`
const misleading = `0x${"c3".repeat(20)}`
const nobody = `0x${"d4".repeat(20)}`
export const accounts = [treasury, lookalike, misleading, nobody]
export const claims = {
  [treasury]: "treasury.eth",
  [lookalike]: "tre\u0430sury.eth",
  [misleading]: "0x5fbdb2315678.eth",
}
export const expected = [`treasury.eth (${treasury})`, `tre\\u{430}sury.eth (${lookalike})`, misleading, nobody]

export const filesOf = (origin: string) => ({
  "a.rpc": '### Logs\n# @network main\neth_getLogs [{ "fromBlock": "0x10", "toBlock": "0x10" }]\n',
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", chainId: 11155111, url: `${origin}/rpc` } } }),
})

export const dialog = ({ page }: Workbench) => page.locator(".monaco-dialog-box")

/** The addresses as the first cells of their rows show them. */
export const shown = async ({ webview }: Workbench): Promise<ReadonlyArray<string>> => {
  const cells = await webview().locator("tr[data-position] td").allInnerTexts()
  return cells.filter((text) => /0x[\da-f]{40}/.test(text) && !/0x[\da-f]{64}/.test(text))
}

export const lookUp = async (workbench: Workbench, calls: ReadonlyArray<string>) => {
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
