/** The first minute: an empty file, and a request that runs. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { hosts } from "@dotrpc/vscode-host"

import { withFolder } from "./window.ts"

for (const extensionHost of hosts) {
  const options = { extensionHost }

  test(`an empty file begins with a request that runs, ${extensionHost} host`, () =>
    withFolder({ ...options, name: `empty-${extensionHost}`, files: { "empty.rpc": "" } }, async (workbench) => {
      await workbench.openFile("empty.rpc")
      await workbench.clickLens("Begin with a request")
      await workbench.until(
        "it has a price",
        async () => (await workbench.lensTitles())[0]?.startsWith("Run · 255 credits") === true,
      )
      await workbench.page.keyboard.press("Escape")
      await workbench.clickLens("Run · 255 credits")
      match(await workbench.inlineThreadText(), /255 credits/)
    }))
}
