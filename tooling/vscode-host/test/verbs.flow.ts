/** Every verb of the workbench and the run inside the host, in both extension hosts, against the probe. */
import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict"
import { fileURLToPath } from "node:url"
import { after, test } from "node:test"

import { hosts, runInHost, shareWindows } from "../src/index.ts"
import { packProbe } from "./pack.ts"

const files = { "inner/sample.json": '{ "text": "word",\n  "number": 12 }\n' }

const probe = await packProbe()
const windows = shareWindows()
after(async () => {
  await windows.close()
  await probe[Symbol.asyncDispose]()
})

const entryAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

for (const extensionHost of hosts) {
  test(`a page is driven by verbs, ${extensionHost} host`, async () => {
    const wrong = { "inner/wrong.json": '{ "text": }\n' }
    const options = {
      name: `verbs-${extensionHost}`,
      extensions: [probe],
      extensionHost,
      files: { ...files, ...wrong },
    }
    await windows.open(options, async (workbench) => {
      await workbench.openFile("inner/sample.json")
      await workbench.until("colours are there", async () => {
        return (await workbench.colourOf("word")) !== (await workbench.colourOf("12"))
      })
      notEqual(await workbench.colourOf("text"), await workbench.colourOf("word"))

      await workbench.clickLens("Show it")
      match(await workbench.inlineThreadText(), /answer\s+42/)
      equal(await workbench.inlineThreadCount(), 1)
      deepEqual(await workbench.lensTitles(), ["Show it"])
      deepEqual(await workbench.decorationTexts(), [`seen by the ${extensionHost} host`])

      equal(await workbench.squiggles().count(), 0)
      await workbench.openFile("inner/wrong.json")
      await workbench.squiggles().first().waitFor()

      await workbench.runCommand("Probe: Ask")
      await workbench.choose("blue")
      await workbench.answer("silence")
      await workbench.waitForText("blue and silence")
      await workbench.screenshot("end")
    })
  })
}

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

test("an entry that fails is a failure here, with its reason", async () => {
  const run = runInHost({ entry: entryAt("probe/failing.ts"), report: () => {} })
  await rejects(run, /not ok two is one: Error: expected 1, got 2/)
})
