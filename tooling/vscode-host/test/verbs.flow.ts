/** Every verb of the workbench, in both extension hosts, against the probe. */
import { deepEqual, equal, match, notEqual } from "node:assert/strict"
import { after, test } from "node:test"

import { hosts, shareWindows } from "../src/index.ts"
import { packProbe } from "./pack.ts"

const files = { "inner/sample.json": '{ "text": "word",\n  "number": 12 }\n' }

const probe = await packProbe()
const windows = shareWindows()
after(async () => {
  await windows.close()
  await probe[Symbol.asyncDispose]()
})

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
        const colours = await Promise.all(["word", "12", "text"].map(workbench.colourOf))
        return !colours.includes(undefined) && colours[0] !== colours[1]
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
