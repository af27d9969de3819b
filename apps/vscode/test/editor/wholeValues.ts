/** A table holds whole values: how they are selected, copied and followed, wherever the table is. */
import { deepEqual, equal, match, ok } from "node:assert/strict"

import type { Workbench } from "@dotrpc/vscode-host"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

export const wholeValues = {
  "units.rpc": `### Amounts\n# @network evm\n# @name amounts\n# @units ${token}\neth_getLogs [{ "address": "${token}", "fromBlock": "0x1", "toBlock": "0x10", "topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"] }]\n`,
  "a.rpc":
    '### Logs\n# @network evm\n# @name logs\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x10", "topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"] }]\n',
  "rpc.config.json": JSON.stringify({
    networks: {
      evm: {
        plugin: "evm",
        url: "embedded:evm",
        explorer: "https://explorer.example",
        labels: { [token]: "Test token" },
      },
    },
  }),
}

/** The cell of the second row in the column of this name. */
const cellOf = async ({ webview }: Workbench, name: string) => {
  const headings = await webview().getByRole("columnheader").allInnerTexts()
  return webview().locator("tr[data-position='1'] td").nth(headings.indexOf(name))
}

const selected = ({ webview }: Workbench) =>
  webview()
    .locator("body")
    .evaluate(() => getSelection()?.toString() ?? "")

/** The editor opens a tab of the browser, which asks for the page. */
const opens = async ({ page }: Workbench, begin: string, action: () => Promise<void>) => {
  const context = page.context()
  const asked = context.waitForEvent("request", { predicate: (request) => request.url().startsWith(begin) })
  const opened = context.waitForEvent("page")
  await action()
  await asked
  await (await opened).close()
}

/** A double click selects all of a value, which is copied as it is; a link beside it leads to its page. */
export const selectsWhole = async (workbench: Workbench) => {
  const { page } = workbench
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const copy = async (expected: string | RegExp) => {
    await page.keyboard.press("Control+C")
    await workbench.until(`${String(expected)} is copied`, async () => {
      const text = await copied()
      return typeof expected === "string" ? text === expected : expected.test(text)
    })
  }
  const values: ReadonlyArray<readonly [string, RegExp, string | RegExp]> = [
    ["to", /^0x[\da-f]{40}$/, /^0x[\da-f]{40}$/],
    ["transaction", /^0x[\da-f]{64}$/, /^0x[\da-f]{64}$/],
    ["address", /^Test token \(0x5fbdb2…180aa3\)$/, token],
    ["value", /^\d,\d{3}[\d.,]* SMPL$/, /^\d{4}[\d.]* SMPL$/],
  ]
  for (const [name, shown, exact] of values) {
    await (await cellOf(workbench, name)).dblclick()
    match(await selected(workbench), shown)
    await copy(exact)
    equal(
      await workbench
        .webview()
        .getByLabel(/^Row 2 as JSON$/)
        .count(),
      0,
      "the row is as it was",
    )
  }
  const to = await cellOf(workbench, "to")
  match((await to.getAttribute("title")) ?? "", /^0x[\da-f]{40}$/)
  const link = to.getByRole("link")
  match((await link.getAttribute("title")) ?? "", /^https:\/\/explorer\.example\/address\/0x/)
  await opens(workbench, "https://explorer.example/address/0x", () => link.click())

  await (await cellOf(workbench, "to")).click()
  await workbench.webview().getByLabel("Row 2 as JSON").waitFor()
  // The keyboard reaches the links of the current row.
  await page.keyboard.press("Tab")
  await opens(workbench, "https://explorer.example/block/", () => page.keyboard.press("Enter"))

  await workbench.webview().getByRole("button", { name: "Copy rows" }).click()
  await workbench.until("rows are copied", async () => (await copied()).startsWith("block\t"))
  const [heads = [], ...rows] = (await copied())
    .trim()
    .split("\r\n")
    .map((line) => line.split("\t"))
  deepEqual(heads.slice(0, 7), ["block", "log", "address", "event", "from", "to", "value"])
  ok(rows.length === 85 && rows.every((row) => row[2] === token && /^\d+(\.\d+)? SMPL$/.test(row[6] ?? "")))
}
