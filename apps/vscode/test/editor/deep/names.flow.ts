/** Names of addresses are looked up from a notebook as well. */
import { test } from "node:test"

import { accounts, claims, filesOf, lookUp } from "../lookUpNames.ts"
import { startNameServer } from "../NameServer.ts"
import { openAsNotebook } from "../openAsNotebook.ts"
import { withFolder } from "../window.ts"

test("names of addresses are looked up from a notebook", async () => {
  await using server = await startNameServer(accounts, claims)
  await withFolder({ name: "names-notebook", files: filesOf(server.origin) }, async (workbench) => {
    await openAsNotebook(workbench, "a.rpc")
    await workbench.runCommand("Notebook: Run All")
    await workbench.webview().locator("tr[data-position='3']").waitFor()
    await lookUp(workbench, server.calls)
    await workbench.screenshot("names")
  })
})
