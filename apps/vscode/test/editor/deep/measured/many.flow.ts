/**
 * A file of many requests runs as a whole, about as fast as in a terminal: what is in view is drawn, and each failed check can
 * be found.
 */
import { equal, ok } from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"

import { withWindow } from "../../window.ts"

const count = 500
const failing = 490

/** Every request has a check, and one of them fails. */
const request = (number: number): string => {
  const block = `0x${number.toString(16)}`
  const expected = number === failing ? 2 : 1
  return `### Block ${number}\n# @network evm\neth_getBlockRange ["${block}", "${block}", false]\n?? result.length == ${expected}\n`
}

const text = Array.from({ length: count }, (_, index) => request(index + 1)).join("\n")

/** How long the built command takes for the same file in a project of its own, its start included. */
async function terminalMillis(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-many-"))
  writeFileSync(join(folder, "many.rpc"), text)
  const cli = dirname(createRequire(import.meta.url).resolve("@dotrpc/cli/package.json"))
  const begun = Date.now()
  const child = spawn(process.execPath, [join(cli, "dist/dotrpc.mjs"), "run", "many.rpc"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder },
    stdio: "ignore",
  })
  const [code] = await once(child, "exit")
  const millis = Date.now() - begun
  rmSync(folder, { recursive: true })
  equal(code, 1, "one check fails")
  return millis
}

test("500 requests run in one go, and few of them are drawn, node host", (context) => {
  const files = { "many.rpc": text }
  return withWindow({ name: "many", extensionHost: "node", files }, async (workbench) => {
    const { page } = workbench
    await workbench.openFile("many.rpc")
    await workbench.until(
      "it can be run",
      async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80") === true,
    )
    const runAll = async (left: string): Promise<number> => {
      const begun = Date.now()
      await workbench.runCommand("dotrpc: Run All Requests in File")
      const confirm = page.getByRole("dialog").getByRole("button", { name: "Run" })
      if (await confirm.isVisible().catch(() => false)) await confirm.click()
      await workbench.waitForText(`${left} credits left`)
      return Date.now() - begun
    }
    const first = await runAll("2,960,000")
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

    const ratios = new Array<number>()
    const compare = async (here: number) => {
      const there = await terminalMillis()
      ratios.push(here / there)
      context.diagnostic(`${count} requests took ${here} ms, ${(here / there).toFixed(2)} of a terminal (${there} ms)`)
    }
    // Of several rounds the least counts: whatever else the machine does falls on one of the two.
    await compare(first)
    await compare(await runAll("2,920,000"))
    const least = Math.min(...ratios)
    ok(least <= 1.5, `${count} requests take ${least.toFixed(2)} times as long as in a terminal`)
  })
})
