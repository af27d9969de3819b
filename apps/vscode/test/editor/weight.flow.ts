/** What the extension weighs: its package, its activation, and what stays in memory. */
import { deepEqual, ok } from "node:assert/strict"
import { readFile, stat } from "node:fs/promises"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { listFiles, PackageManager } from "@vscode/vsce"
import { type ExtensionHost, runInHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packed } from "./extension.ts"
import { quickstart } from "./files.ts"

const entry = (name: string): string => fileURLToPath(new URL(`inHost/${name}.ts`, import.meta.url))
const sizeOf = async (path: string): Promise<number> => (await stat(fileURLToPath(new URL(path, import.meta.url)))).size

test("the package stays below a megabyte, and what activates first below 10 kB", async (context) => {
  const vsix = (await stat(packed.vsix)).size
  context.diagnostic(`package: ${Math.round(vsix / 1_000)} kB`)
  ok(vsix < 1_000_000, `the package has ${vsix} bytes`)
  for (const file of ["../../dist/extension.cjs", "../../dist/extension.web.js"]) {
    const size = await sizeOf(file)
    ok(size < 10_000, `${file} has ${size} bytes`)
  }
})

test("what is packed is what the manifest names, and no more", async () => {
  const packedFolder = fileURLToPath(new URL("../../dist/package", import.meta.url))
  const listed = await listFiles({ cwd: packedFolder, packageManager: PackageManager.None })
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(
    await readFile(`${packedFolder}/package.json`, "utf8"),
  )
  const isNamed = (path: string) => files.some((file) => path === file || path.startsWith(`${file}/`))
  deepEqual(
    listed.filter((path) => !isNamed(path)),
    ["package.json"],
  )
  deepEqual(
    files.filter((file) => !listed.some((path) => path === file || path.startsWith(`${file}/`))),
    [],
  )
})

const hosts: ReadonlyArray<ExtensionHost> = ["node", "web"]
for (const extensionHost of hosts) {
  test(`nothing is loaded before the first file, ${extensionHost} host`, (context) =>
    runInHost({
      entry: entry("idle"),
      extensionHost,
      extensions: [packed],
      files: { "notes.txt": "Nothing to run.\n" },
      report: (line) => context.diagnostic(line),
    }))

  test(`activation takes less than 100 ms, and the first lenses less than a second, ${extensionHost} host`, (context) =>
    withWorkbench(
      { name: `activation-${extensionHost}`, extensions: [packed], extensionHost, files: { "a.rpc": quickstart } },
      async (workbench) => {
        await workbench.page.setViewportSize({ width: 1280, height: 2400 })
        let { activation, lenses } = await startMillis(workbench)
        // On a machine that is busy with something else, one window may be slow.
        for (let again = 0; again < 3 && (activation >= 100 || lenses >= 1_000); again++) {
          await workbench.page.reload()
          const next = await startMillis(workbench)
          activation = Math.min(activation, next.activation)
          lenses = Math.min(lenses, next.lenses)
        }
        context.diagnostic(`activation: ${activation} ms; from the first file to its lenses: ${lenses.toFixed(0)} ms`)
        ok(activation < 100, `activation took ${activation} ms`)
        ok(lenses < 1_000, `the first lenses took ${lenses.toFixed(0)} ms`)
      },
    ))
}

/** From the text of the first file to its lenses; and as the editor measures activation: loading the entry, and activating. */
async function startMillis(workbench: Workbench): Promise<{ readonly activation: number; readonly lenses: number }> {
  await workbench.openFile("a.rpc")
  const before = performance.now()
  await workbench.lensTitles()
  const lenses = performance.now() - before
  await workbench.runCommand("Developer: Show Running Extensions")
  const row = workbench.page.getByRole("list", { name: "Runtime Extensions" }).getByRole("listitem", { name: "dotrpc" })
  await row.waitFor()
  const [, millis] = /Activation: (\d+)ms/.exec(await row.innerText()) ?? []
  if (millis === undefined) throw new Error("The editor has not measured the activation.")
  return { activation: Number(millis), lenses }
}

test("memory stays flat over a hundred runs", (context) =>
  runInHost({
    entry: entry("memory"),
    extensions: [packed],
    files: { "quickstart.rpc": quickstart },
    report: (line) => context.diagnostic(line),
  }))
