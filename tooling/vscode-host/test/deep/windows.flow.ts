/** Windows that share a server, which all flows of the extension do. */
import { equal, notEqual } from "node:assert/strict"
import { after, test } from "node:test"

import { shareWindows } from "../../src/index.ts"
import { packProbe } from "../pack.ts"

const probe = await packProbe()
const windows = shareWindows()
after(async () => {
  await windows.close()
  await probe[Symbol.asyncDispose]()
})

test("windows that share a server find nothing of each other", async () => {
  const seen: Array<{ readonly origin: string; readonly workspace: string }> = []
  for (const file of ["first.json", "second.json"]) {
    const options = { name: `shared-${file}`, extensions: [probe], files: { [file]: '{ "text": "word" }\n' } }
    await windows.open({ ...options, extensionHost: "node" }, async (workbench) => {
      const { page, workspace } = workbench
      await workbench.openFile(file)
      equal(await page.getByRole("tab", { name: /\.json/ }).count(), 1)
      equal(await page.evaluate(() => localStorage.getItem("trace")), null)
      await page.evaluate(() => localStorage.setItem("trace", "left behind"))
      seen.push({ origin: new URL(page.url()).origin, workspace })
    })
  }
  const [first, second] = seen
  equal(first?.origin, second?.origin)
  notEqual(first?.workspace, second?.workspace)
})
