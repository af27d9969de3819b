/** Runs that are recorded in a folder, and answered from it for 0 credits, in a file and in its notebook. */
import { equal, match } from "node:assert/strict"
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

import { number, resultSays } from "./recorded.ts"
import { withFolder, withWindow } from "./window.ts"

test("runs are recorded and replayed, node host", () =>
  withWindow({ name: "recordings-node", extensionHost: "node", files: { "number.rpc": number } }, async (workbench) => {
    const { page, workspace } = workbench
    const entry = page.locator("#dotrpc\\.dotrpc\\.dotrpc\\.recordings")
    const folder = join(workspace, "recordings")

    await workbench.openFile("number.rpc")
    await workbench.runCommand("dotrpc: Replay Runs from Recordings…")
    await workbench.choose("recordings")
    await workbench.waitForText("record runs there first")

    await workbench.runCommand("dotrpc: Record Runs…")
    await workbench.choose("recordings")
    await entry.getByText("recording in recordings").waitFor()
    await workbench.clickLens("Run · 80 credits")
    await resultSays(workbench, /^✓ .*80 credits/)
    equal(readdirSync(folder).length, 1)
    await workbench.screenshot("recording")

    await workbench.runCommand("dotrpc: Replay Runs from Recordings…")
    await workbench.choose("recordings")
    await entry.getByText("replaying recordings").waitFor()
    await workbench.clickLens("Run · 0 credits · replayed")
    await resultSays(workbench, /^✓ .*80 avoided/)
    await workbench.screenshot("replayed")

    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.codeCells()
    await workbench.runCommand("dotrpc: Run All Requests in File")
    await workbench.webview().getByText("80 avoided").first().waitFor()
    await workbench.screenshot("notebook")
    await workbench.runCommand("dotrpc: Open as Text")
    // A lens shows that the text is in front: a file that is opened before that is the notebook again.
    await workbench.lensTitles()

    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    await workbench.clickLens("Run · 0 credits · replayed")
    await resultSays(workbench, /^✗/)
    await workbench.waitForText("no call of eth_blockNumber on evm with these params is recorded")
    match(await workbench.inlineThreadText(), /dotrpc: Record Runs…/)
    await workbench.screenshot("missed")

    await entry.click()
    await workbench.until("the entry is gone", async () => !(await entry.isVisible()))
    await workbench.clickLens("Run · 80 credits")
    await resultSays(workbench, /^✓ .*80 credits/)
  }))

test("why there are no recordings is said, web host", () =>
  withFolder({ name: "recordings-web", extensionHost: "web", files: { "number.rpc": number } }, async (workbench) => {
    await workbench.openFile("number.rpc")
    await workbench.runCommand("dotrpc: Record Runs…")
    await workbench.waitForText("neither recorded nor replayed in a browser")
    await workbench.screenshot("refused")
  }))
