/** What can be done with a result below its request, in both extension hosts. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { startCountingServer } from "./CountingServer.ts"
import { early, quickstart, wide } from "./files.ts"
import { withFolder } from "./window.ts"

const refused = `### Too dear
# @network evm
# @name dear
# @budget 100
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2" }]
`

/** What the 367 logs are saved as. */
const formats = [
  {
    label: "CSV",
    ending: "csv",
    check: (text: string) => {
      const lines = text.trimEnd().split("\r\n")
      equal(lines.length, 368)
      match(lines[0] ?? "", /(^|,)transaction_hash,/)
    },
  },
  {
    label: "NDJSON",
    ending: "ndjson",
    check: (text: string) => {
      const logs = text.trimEnd().split("\n").map(logNumber)
      equal(logs.length, 367)
      ok(logs.every((number) => Number.isSafeInteger(number)))
    },
  },
  {
    label: "JSON",
    ending: "json",
    check: (text: string) => {
      const logs: ReadonlyArray<unknown> = JSON.parse(text)
      equal(logs.length, 367)
      equal(text, `${JSON.stringify(logs, null, 2)}\n`)
    },
  },
  {
    label: "Parquet",
    ending: "parquet",
    check: (text: string) => {
      match(text, /^PAR1[^]*PAR1$/)
      ok(text.includes('{"block_number":"int64",'), "columns have types")
    },
  },
]

const logNumber = (line: string): unknown => JSON.parse(line).block_number

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`a result is opened as rows, saved and compared, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `results-${extensionHost}`, files: { "quickstart.rpc": quickstart } },
      async (workbench) => {
        const { page, workspace } = workbench
        await workbench.openFile("quickstart.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()

        for (const { label, ending, check } of formats) {
          await page.getByText("Save as…").click()
          await workbench.choose(label)
          const name = `transfers.${ending}`
          await workbench.until("a name is offered", async () => (await workbench.inputText()).endsWith(name))
          await page.keyboard.press("Enter")
          const saved = () => readFile(join(workspace, name), "utf8").catch(() => "")
          await workbench.until("it is saved", async () => (await saved()) !== "")
          const text = await saved()
          ok(!text.includes("…"), "nothing is shortened")
          check(text)
        }

        await page.getByText("Open rows").click()
        const grid = workbench.webview().getByRole("grid", { name: "367 logs" })
        await grid.waitFor()
        equal(await grid.getAttribute("aria-rowcount"), "368")
        await workbench.screenshot("rows")

        await page.getByText("Run again").click()
        await page.getByText("Compare with previous run").click()
        await workbench.waitForText("transfers: the previous run ↔ the last run")
      },
    ))

  test(`an error offers its repair, ${extensionHost} host`, () =>
    withFolder(
      { ...options, name: `repairs-${extensionHost}`, files: { "refused.rpc": refused, "wide.rpc": wide } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("refused.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()
        await workbench.screenshot("refused")
        await page.getByText("Raise # @budget to 255").click()
        await workbench.waitForText("# @budget 255")
        await workbench.clickLens("Run · 255 credits")
        await workbench.until("it runs", async () =>
          (await workbench.decorationTexts()).some((text) => text.startsWith("✓")),
        )
        await workbench.until("its rows are in sight", () => page.getByText("Open rows").isVisible())

        await workbench.openFile("wide.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.inlineThreadText()
        await workbench.screenshot("wide")
        await page.getByText("Read it in pieces").click()
        await workbench.waitForText("# @all")
        await workbench.screenshot("split")
      },
    ))
}

for (const extensionHost of hosts) {
  test(`a secret that is missing is set by one click, ${extensionHost} host`, async () => {
    await using server = await startCountingServer()
    const files = {
      "keyed.rpc": early.replace("busy", "keyed"),
      "rpc.config.json": JSON.stringify({
        networks: { keyed: { plugin: "evm", url: `${server.origin}/v3/{{$secret.MISSING_KEY}}` } },
      }),
    }
    await withFolder({ extensionHost, name: `missing-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("keyed.rpc")
      await workbench.until("it is missed", async () => (await workbench.lensTitles())[0] === "Run · has errors")
      await workbench.clickLens("Run · has errors")
      await workbench.inlineThreadText()
      await workbench.screenshot("missing")
      await page.getByText("Set MISSING_KEY").click()
      await page.getByLabel("Value of MISSING_KEY").waitFor()
      await workbench.answer("canary-55d0")
      await workbench.clickLens("Run · 80 credits")
      await workbench.until("it has run", async () =>
        (await workbench.decorationTexts()).some((text) => text.startsWith("✓")),
      )
      deepEqual(server.paths, ["/v3/canary-55d0"])
      equal((await page.content()).includes("canary-55d0"), false)
    })
  })
}
