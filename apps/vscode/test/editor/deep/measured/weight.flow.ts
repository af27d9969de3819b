/** What the extension weighs: its activation, and what stays in memory. */
import { ok } from "node:assert/strict"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { hosts, runInHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packConstantLenses } from "../../constantLenses.ts"
import { packed } from "../../extension.ts"
import { quickstart } from "../../files.ts"

const entry = (name: string): string => fileURLToPath(new URL(`../../inHost/${name}.ts`, import.meta.url))

for (const extensionHost of hosts) {
  test(`nothing is loaded before the first file, ${extensionHost} host`, (context) =>
    runInHost({
      entry: entry("idle"),
      extensionHost,
      extensions: [packed],
      files: { "notes.txt": "Nothing to run.\n" },
      report: (line) => context.diagnostic(line),
    }))

  test(`the first lenses come soon after those of an extension that does nothing, ${extensionHost} host`, async (context) => {
    const extensions = [packed, await packConstantLenses()]
    const files = { "a.rpc": quickstart, "a.lensed": quickstart }
    await withWorkbench(
      { name: `activation-${extensionHost}`, extensions, extensionHost, files },
      async (workbench) => {
        await workbench.page.setViewportSize({ width: 1280, height: 2400 })
        const ours = new Array<number>()
        const constant = new Array<number>()
        // In turns, each as the first file of its window, so that other work of the machine slows down both.
        for (let round = 0; round < 3; round++) {
          constant.push(await lensMillis(workbench, "a.lensed"))
          await workbench.page.reload()
          ours.push(await lensMillis(workbench, "a.rpc"))
          if (round === 2) break
          await workbench.page.reload()
        }
        const activation = await activationMillis(workbench)
        const [first, least] = [Math.min(...ours), Math.min(...constant)]
        const ratio = first / least
        context.diagnostic(
          `activation: ${activation} ms; to the first lenses: ${first.toFixed(0)} ms, ${ratio.toFixed(1)} × the ${least.toFixed(0)} ms of lenses that never change`,
        )
        ok(activation < 100, `activation took ${activation} ms`)
        ok(ratio < mostTimes, `the first lenses took ${ratio.toFixed(1)} × as long as lenses that never change`)
      },
    )
  })
}

/** A lens that is computed waits for the features to load, for the configuration and for the prices. */
const mostTimes = 4

/** From opening the first file of a window to its lenses. */
async function lensMillis(workbench: Workbench, file: string): Promise<number> {
  await workbench.page.getByRole("treeitem", { name: file }).waitFor()
  const before = performance.now()
  await workbench.openFile(file)
  await workbench.lensTitles()
  return performance.now() - before
}

/** As the editor measures activation: loading the entry, and activating. */
async function activationMillis(workbench: Workbench): Promise<number> {
  await workbench.runCommand("Developer: Show Running Extensions")
  const row = workbench.page.getByRole("list", { name: "Runtime Extensions" }).getByRole("listitem", { name: "dotrpc" })
  await row.first().waitFor()
  const [, millis] = /Activation: (\d+)ms/.exec(await row.first().innerText()) ?? []
  if (millis === undefined) throw new Error("The editor has not measured the activation.")
  return Number(millis)
}

test("memory stays flat over a hundred runs", (context) =>
  runInHost({
    entry: entry("memory"),
    extensions: [packed],
    files: { "quickstart.rpc": quickstart },
    report: (line) => context.diagnostic(line),
  }))
