/** Checks in the Test Explorer, in both extension hosts. */
import { equal } from "node:assert/strict"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"

import { hosts, type Workbench } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const blocks = `### Blocks
# @network evm
# @name blocks
eth_getBlockRange ["0x1", "0x3", false]
?? result.length == 4
?? result.length > 1000
?? result[0].number == 1
`
const unsent = `### Misspelt
# @network evm
eth_getLogs [{ "fromBlok": "0x1" }]
?? result.length > 0
`

const skipped = `### Not now
# @network evm
# @skip
eth_getBlockRange ["0x1", "0x3", false]
?? result.length == 3
`

const rows = ({ page }: Workbench) => page.getByRole("tree", { name: "Test Explorer" }).getByRole("treeitem")

/** Labels for those who listen: `result.length == 4 (Failed)`. */
const labels = async (workbench: Workbench): Promise<ReadonlyArray<string>> =>
  rows(workbench).evaluateAll((found) => found.map((row) => row.getAttribute("aria-label") ?? ""))

const untilRow = (workbench: Workbench, expected: RegExp): Promise<void> =>
  workbench.until(`a test is like ${expected}`, async () => (await labels(workbench)).some((row) => expected.test(row)))

for (const extensionHost of hosts) {
  test(`checks are found, run, traced and shown where they fail, ${extensionHost} host`, () =>
    withFolder(
      {
        name: `checks-${extensionHost}`,
        extensionHost,
        files: { "a.rpc": blocks, "deep/unsent.rpc": unsent, "later/skipped.rpc": skipped },
      },
      async (workbench) => {
        const { workspace } = workbench
        await workbench.openFile("a.rpc")
        await workbench.lensTitles()
        await workbench.runCommand("Testing: Focus on Test Explorer View")
        await untilRow(workbench, /\ba\.rpc/)
        await untilRow(workbench, /unsent\.rpc/)
        equal(await workbench.inlineThreadCount(), 0, "finding runs nothing")

        await workbench.runCommand("Test: Run All Tests")
        await workbench.until("the result is in its file", async () => (await workbench.inlineThreadCount()) > 0)
        await untilRow(workbench, /\ba\.rpc.*\(Failed\)|Failed.*\ba\.rpc/)
        await untilRow(workbench, /skipped\.rpc.*\(Skipped\)/)
        await workbench.waitForText("3 != 4")
        await workbench.waitForText("expected > 1000, actual 3")
        await workbench.screenshot("ran")

        await writeFile(join(workspace, "later.rpc"), blocks)
        await untilRow(workbench, /\blater\.rpc/)
        await rm(join(workspace, "later.rpc"))
        await workbench.until(
          "it is gone",
          async () => !(await labels(workbench)).some((row) => row.includes("later.rpc")),
        )

        await rm(join(workspace, "deep"), { recursive: true })
        await workbench.until(
          "a folder is gone with its files",
          async () => !(await labels(workbench)).some((row) => row.includes("unsent.rpc")),
        )

        await workbench.runCommand("Test: Debug All Tests")
        await workbench.waitForText("result.length == 4 failed")
        await workbench.screenshot("traced")
      },
    ))
}
