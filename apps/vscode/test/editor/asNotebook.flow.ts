/** A file that came from somewhere is opened as a notebook: its titles load nothing, and what is too large is refused in words. */
import { deepEqual, equal } from "node:assert/strict"
import { test } from "node:test"

import { startCountingServer } from "./CountingServer.ts"
import { withFolder } from "./window.ts"

test("a title loads no image, and a file that is too large stays open as text", async () => {
  await using server = await startCountingServer()
  const files = {
    "hostile.rpc": `### Balance [open](command:dotrpc.run) ![i](${server.origin}/a.png) <b>bold</b>\n# <img src="${server.origin}/b.png">\neth_getBlockRange ["0x1", "0x3", false]\n`,
    "large.rpc": `// ${"x".repeat(1_000)}\n`.repeat(600),
    "many.rpc": "### A\nm\n".repeat(5_001),
  }
  await withFolder({ name: "asNotebook", extensionHost: "node", files }, async (workbench) => {
    await workbench.openFile("hostile.rpc")
    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.codeCells()
    const title = workbench.webview().getByRole("heading", { name: /Balance/ })
    await title.waitFor()
    equal(await title.innerText(), `Balance [open](command:dotrpc.run) ![i](${server.origin}/a.png) <b>bold</b>`)
    equal(await workbench.webview().locator("#preview a, #preview img, #preview b").count(), 0)
    await workbench.screenshot("titles")
    deepEqual(server.paths, [])

    await workbench.openFile("large.rpc")
    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.waitForText("This file is longer than 500,000 characters, which is more than the editor analyses")
    await workbench.waitForText("It opens in the text editor.")
    await workbench.screenshot("refused")

    await workbench.openFile("many.rpc")
    await workbench.runCommand("dotrpc: Open as Notebook")
    await workbench.waitForText("This notebook has more than 10,000 cells, which is more than the editor analyses")
  })
})
