/** A call on two networks: the price of both above it, what differs below it, and both results beside each other. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

const textFor = (other: string) => `### Balance
# @network evm
# @compare ${other}
eth_getBalance ["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "latest"]
`

for (const extensionHost of hosts) {
  test(`a call is compared on two networks, ${extensionHost} host`, () =>
    withFolder(
      {
        name: `comparisons-${extensionHost}`,
        extensionHost,
        files: { "other.rpc": textFor("evm-l2"), "same.rpc": textFor("evm") },
      },
      async (workbench) => {
        const { page } = workbench
        const marked = (mark: string, words: string) =>
          workbench.until(`the call is marked ${mark}`, async () =>
            (await workbench.decorationTexts()).some((text) => text.startsWith(mark) && text.includes(words)),
          )
        await workbench.openFile("same.rpc")
        await workbench.clickLens("Run · 320 credits · compared with evm")
        await marked("✓", "equal on evm")

        await workbench.openFile("other.rpc")
        await workbench.clickLens("Run · 320 credits · compared with evm-l2")
        await marked("✗", "differs on evm-l2")
        const thread = await workbench.inlineThreadText()
        match(thread, /1 value differs on evm-l2/)
        match(thread, /- result: "0x/)
        await workbench.screenshot("different")
        await page.getByText("Compare networks").click()
        await workbench.waitForText("evm ↔ evm-l2")
      },
    ))
}
