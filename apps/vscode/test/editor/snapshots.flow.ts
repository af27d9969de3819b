/** A result that is compared with a snapshot beside its file: written by the first run, shown where it differs, kept when asked. */
import { deepEqual, match } from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const text = `### Number
# @network evm
# @name number
eth_blockNumber []
?? snapshot
`

for (const extensionHost of hosts) {
  test(`a snapshot is written, compared and kept again, ${extensionHost} host`, () =>
    withFolder(
      {
        name: `snapshots-${extensionHost}`,
        extensionHost,
        files: { "new.rpc": text, "old.rpc": text, "old.rpc.snap": `{"version":1,"snapshots":{"number":"0x1"}}\n` },
      },
      async (workbench) => {
        const { page, workspace } = workbench
        const snapshotOf = (name: string): unknown => JSON.parse(readFileSync(join(workspace, name), "utf8"))
        const expected = { version: 1, snapshots: { number: "0x3e7" } }

        await workbench.openFile("new.rpc")
        await workbench.clickLens("Run · 80 credits")
        await isMarked(workbench, "✓")
        await workbench.until("the snapshot is written", async () => isThere(() => snapshotOf("new.rpc.snap")))
        deepEqual(snapshotOf("new.rpc.snap"), expected)

        await workbench.openFile("old.rpc")
        await workbench.clickLens("Run · 80 credits")
        await workbench.until("the difference is marked", async () =>
          (await workbench.decorationTexts()).some((words) => words.startsWith("✗")),
        )
        const thread = await workbench.inlineThreadText()
        match(thread, /- result: "0x1"/)
        match(thread, /\+ result: "0x3e7"/)
        await workbench.screenshot("different")
        deepEqual(snapshotOf("old.rpc.snap"), { version: 1, snapshots: { number: "0x1" } })

        await page.getByText("Compare with snapshot").click()
        await workbench.waitForText("the snapshot ↔ the last run")
        await workbench.screenshot("compared")

        await workbench.openFile("old.rpc")
        await page.getByText("Update snapshot").click()
        await workbench.waitForText("Kept the result of number in old.rpc.snap")
        deepEqual(snapshotOf("old.rpc.snap"), expected)
        await page.getByText("Run again").click()
        await isMarked(workbench, "✓")
      },
    ))
}

const isMarked = (workbench: Workbench, mark: string): Promise<void> =>
  workbench.until(`the check is marked ${mark}`, async () => (await workbench.decorationTexts()).includes(mark))

const isThere = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}
