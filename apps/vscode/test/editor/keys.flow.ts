/** What a run with a key leaves behind on disk and shows in its pane: everything but the key. */
import { deepEqual, ok } from "node:assert/strict"
import { test } from "node:test"

import { startCountingServer } from "./CountingServer.ts"
import { filesWith, slow, slowConfig } from "./files.ts"
import { paneOf } from "./pane.ts"
import { openRows, withFolder } from "./window.ts"

test("neither a pane nor what is kept of a run has its key", async () => {
  const canary = "canary-7f3a91c05d2e8b46"
  await using server = await startCountingServer()
  const files = {
    "slow.rpc": slow.replace("waits", "answered"),
    "rpc.config.json": slowConfig(server.origin, "KEPT_KEY"),
    ".env": `KEPT_KEY=${canary}\n`,
  }
  await withFolder({ name: "keys", files }, async (workbench) => {
    await workbench.openFile("slow.rpc")
    await workbench.until(
      "it can be run",
      async () => (await workbench.lensTitles())[0]?.startsWith("Run · 80 credits") === true,
    )
    await workbench.clickLens("Run · 80 credits")
    await workbench.inlineThreadText()
    deepEqual(server.paths, [`/evm/v3/${canary}`])
    await openRows(workbench)
    const pane = paneOf(workbench)
    await pane.tab("Request").click()
    await pane.page.getByText(/Sent to slow \(127\.0\.0\.1:\d+\)/).waitFor()
    for (const name of ["Request", "Timeline", "JSON"]) {
      await pane.tab(name).click()
      ok(!(await pane.page.locator("body").innerText()).includes(canary), `${name} shows no key`)
    }
    // Everything that the server of this window writes is looked at.
    const isKept = (text: string) => async () => (await filesWith(text, workbench.root)).length > 0
    await workbench.until("the run is kept", isKept('"label":"answered"'))
    await workbench.until("the result is kept", isKept('"began":'))
    deepEqual(await filesWith(canary, workbench.root), [])
  })
})
