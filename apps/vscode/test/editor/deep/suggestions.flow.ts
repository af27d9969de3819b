/** What is written with suggestions alone, and what is not suggested, in both extension hosts. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "../window.ts"

const suggesting = {
  "next.rpc": "### A\n",
  "rpc.config.json": JSON.stringify({ networks: { main: { plugin: "evm", url: "embedded:evm" } } }),
}

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`suggestions lead on, ${extensionHost} host`, () =>
    withFolder({ name: `next-${extensionHost}`, extensionHost, files: suggesting }, async (workbench) => {
      const { page } = workbench
      const offered = (name: RegExp) =>
        page.getByRole("listbox", { name: "Suggest" }).getByRole("option", { name }).first().waitFor()
      await workbench.openFile("next.rpc")
      await workbench.goToLine(2)
      await page.keyboard.type("# @net")
      await workbench.waitForSuggestion(/^network/)
      await page.keyboard.press("Tab")
      await offered(/^main/)
      await workbench.screenshot("network")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.keyboard.type("eth_getLo")
      await workbench.waitForSuggestion(/^eth_getLogs/)
      await page.keyboard.press("Tab")
      await offered(/^fromBlock/)
      await workbench.screenshot("params")
    }))

  test(`in an empty file a method is completed to a request that runs, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `first-${extensionHost}`, files: { "empty.rpc": "" } }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("empty.rpc")
      await workbench.until("it is empty", async () => (await workbench.lensTitles())[0] === "Begin with a request")
      await workbench.goToLine(1)
      await page.keyboard.type("eth_getBlockRa")
      await workbench.waitForSuggestion(/^eth_getBlockRange/)
      await page.keyboard.press("Tab")
      await workbench.waitForText("### eth_getBlockRange")
      await workbench.screenshot("completed")
      await page.keyboard.type("0x1")
      await page.keyboard.press("Tab")
      await page.keyboard.type("0x3")
      await workbench.until(
        "it has a price",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
      )
      await page.keyboard.press("Escape")
      await workbench.clickLens("Run · 80 credits")
      match(await workbench.inlineThreadText(), /80 credits/)
    }))

  test(`suggestions come by themselves in 5,000 lines, ${extensionHost} host`, () => {
    const request = (index: number) =>
      `### Logs ${index}\n# @name logs${index}\n@from${index} = ${index}\neth_getLogs [{\n  "fromBlock": {{hex(from${index})}},\n  "toBlock": "latest",\n}]\n?? result.length > 0\n\n\n`
    const text = `# @network main\n${Array.from({ length: 500 }, (_, index) => request(index)).join("")}`
    const files = { ...suggesting, "long.rpc": text }
    return withFolder({ ...options, name: `long-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      const offered = (name: RegExp) =>
        page.getByRole("listbox", { name: "Suggest" }).getByRole("option", { name }).first().waitFor()
      await workbench.openFile("long.rpc")
      await workbench.lensTitles()
      await workbench.goToLine(2_510)
      await page.keyboard.type("### New\n# @net", { delay: 60 })
      await offered(/^network/)
      await page.keyboard.press("Escape")
      await page.keyboard.type("work main", { delay: 60 })
      await page.keyboard.press("Escape")
      await page.keyboard.press("Enter")
      await page.keyboard.type("eth_getLo", { delay: 60 })
      await offered(/^eth_getLogs/)
      await page.keyboard.press("Tab")
      await offered(/^fromBlock/)
      await page.keyboard.type("fromB", { delay: 60 })
      await offered(/^fromBlock/)
      await workbench.screenshot("long")
    })
  })

  test(`words of the text are not suggested, ${extensionHost} host`, () => {
    // The section has its method, so no other one is offered, nor the word itself.
    const files = { "a.rpc": "### Balance\n# @network evm\neth_getBalance []\n\n" }
    return withFolder({ ...options, name: `words-${extensionHost}`, files }, async (workbench) => {
      const { page } = workbench
      await workbench.openFile("a.rpc")
      await workbench.lensTitles()
      await workbench.goToLine(4)
      await page.keyboard.type("eth_getBala")
      await page.keyboard.press("Control+Space")
      await workbench.waitForText("No suggestions.")
    })
  })
}
