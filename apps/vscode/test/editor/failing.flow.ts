/** A check that fails is seen at once: beside its line, first below the request, and in a narrow window as well. */
import { deepEqual, equal, match, ok } from "node:assert/strict"
import { test } from "node:test"

import { hosts, isDeep, type Workbench } from "@dotrpc/vscode-host"

import { barsCoverNoLink } from "./barsCoverNoLink.ts"
import { withFolder } from "./window.ts"

const text = `### Logs
# @network evm
# @name logs
eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x40" }]
?? result.length > 100000 + 200000 + 300000 + 400000 + 500000 + 600000
?? result[0].blockNumber == 99
?? credits == 255
`

/** One sentence in each editor, without Markdown and without the URLs of links. */
const isSpoken = async (workbench: Workbench, editors = 1): Promise<void> => {
  const labels = await workbench.commentLabels()
  equal(labels.length, editors)
  for (const label of labels)
    match(label, /^eth_getLogs on evm, Failed: .*, 421 logs, [\d.]+ m?s, 255 credits, 1 of 3 checks\. .*\.$/)
}

/** What failed is read without scrolling. */
const wordsAreInSight = async ({ page }: Workbench): Promise<void> => {
  const hidden = await page.locator(".review-comment .comment-body").evaluateAll((bodies) =>
    bodies.flatMap((body) => {
      const { right } = body.getBoundingClientRect()
      const words = [...body.querySelectorAll("p")].flatMap((line) => [...line.querySelectorAll("span")])
      return words.filter((word) => word.getBoundingClientRect().right > right + 1).map((word) => word.textContent)
    }),
  )
  deepEqual(hidden, [])
}

/** An editor that draws late is spoken of as well: a second one beside it, and one that comes to the front again. */
const isSpokenWhenDrawnLate = async (workbench: Workbench): Promise<void> => {
  const { page } = workbench
  const slow = await page.context().newCDPSession(page)
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 3 })
  await workbench.runCommand("View: Split Editor Right")
  const markdown = page.locator(".review-comment .rendered-markdown a", { hasText: "Run again" })
  await workbench.until("both editors show it", async () => (await markdown.count()) === 2)
  await isSpoken(workbench, 2)
  await workbench.inlineThreadText(1)
  await workbench.runCommand("View: Close All Editors in Group")
  await workbench.until("one editor is left", async () => (await workbench.inlineThreadCount()) === 1)
  await isSpoken(workbench)

  await workbench.openFile("b.rpc")
  await workbench.until("the thread is out of sight", async () => (await workbench.inlineThreadCount()) === 0)
  await workbench.openFile("a.rpc")
  await workbench.inlineThreadText()
  await isSpoken(workbench)
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 })
}

for (const extensionHost of hosts) {
  test(`a failed check is marked and stands first, ${extensionHost} host`, () =>
    withFolder(
      { name: `failing-${extensionHost}`, extensionHost, files: { "a.rpc": text, "b.rpc": "### Nothing\n" } },
      async (workbench) => {
        const { page } = workbench
        await workbench.openFile("a.rpc")
        await workbench.clickLens("Run · 255 credits")
        await workbench.until("its line is marked", async () =>
          (await workbench.decorationTexts()).some((words) => /^✗ actual \d+ \(0x[0-9a-f]+\)$/.test(words)),
        )
        ok((await workbench.decorationTexts()).includes("✓"), "a check that holds is marked too")
        const thread = await workbench.inlineThreadText()
        ok(thread.indexOf("✗ result.length") < thread.indexOf("address"), "checks stand before rows")
        ok(thread.indexOf("Run again") < thread.indexOf("✗ result.length"), "actions are reached first")
        await page.locator(".review-comment img.avatar").waitFor()
        await isSpoken(workbench)
        await barsCoverNoLink(workbench)

        await page.getByText("Run again").click()
        await workbench.waitForText("2,999,490 credits left")
        await workbench.until("its line is marked after every run", async () =>
          (await workbench.decorationTexts()).includes("✗ actual 421"),
        )
        await workbench.inlineThreadText()
        await isSpoken(workbench)

        if (isDeep) await isSpokenWhenDrawnLate(workbench)
        await page.setViewportSize({ width: 1400, height: 900 })
        await workbench.screenshot("wide")
        await page.setViewportSize({ width: 900, height: 700 })
        await barsCoverNoLink(workbench)
        await wordsAreInSight(workbench)
        await workbench.screenshot("narrow")
      },
    ))
}
