/** A file of many requests runs as a whole: what is in view is drawn, and each failed check can be found. */
import { equal, ok } from "node:assert/strict"
import { test } from "node:test"

import { withWindow } from "./window.ts"

const count = 500
const failing = 490

/** Every request has a check, and one of them fails. */
const request = (number: number): string => {
  const block = `0x${number.toString(16)}`
  const expected = number === failing ? 2 : 1
  return `### Block ${number}\n# @network evm\neth_getBlockRange ["${block}", "${block}", false]\n?? result.length == ${expected}\n`
}

test("500 requests run in one go, and few of them are drawn, node host", (context) => {
  const files = { "many.rpc": Array.from({ length: count }, (_, index) => request(index + 1)).join("\n") }
  return withWindow({ name: "many", extensionHost: "node", files }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("many.rpc")
    await workbench.until(
      "it can be run",
      async () => (await workbench.lensTitles())[0]?.startsWith("Run · ~80") === true,
    )
    const begun = Date.now()
    await workbench.runCommand("dotrpc: Run All Requests in File")
    const confirm = page.getByRole("dialog").getByRole("button", { name: "Run" })
    if (await confirm.isVisible().catch(() => false)) await confirm.click()
    await workbench.waitForText("2,960,000 credits left")
    context.diagnostic(`${count} requests took ${Date.now() - begun} ms`)
    await workbench.until(
      "the lines say so",
      async () => (await workbench.decorationTexts())[0]?.startsWith("✓ 1 block") === true,
    )
    await workbench.screenshot("ran")
    const drawn = await page.locator(".review-widget").count()
    equal(drawn, 0, `rows are folded, and ${drawn} are not`)

    await workbench.goToLine((failing - 1) * 5 + 4)
    await workbench.until("the failed check is marked", async () =>
      (await workbench.decorationTexts()).some((text) => text === "✗ actual 1"),
    )
    ok((await workbench.decorationTexts()).length < 100, "what is far away is not drawn")
    await workbench.screenshot("failed")
    await page.locator(".comment-thread-unresolved, .comment-range-glyph").first().waitFor()
  })
})
