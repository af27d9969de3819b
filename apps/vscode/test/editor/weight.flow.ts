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

  test(`activation takes less than 100 ms, ${extensionHost} host`, (context) =>
    withWorkbench(
      { name: `activation-${extensionHost}`, extensions: [packed], extensionHost, files: { "a.rpc": quickstart } },
      async (workbench) => {
        await workbench.page.setViewportSize({ width: 1280, height: 2400 })
        let fastest = await activationMillis(workbench)
        // On a machine that is busy with something else, one window may be slow.
        for (let again = 0; again < 3 && fastest >= 100; again++) {
          await workbench.page.reload()
          fastest = Math.min(fastest, await activationMillis(workbench))
        }
        context.diagnostic(`activation: ${fastest} ms`)
        ok(fastest < 100, `activation took ${fastest} ms`)
      },
    ))
}

/** As the editor itself measures it: loading the entry, and activating. */
async function activationMillis(workbench: Workbench): Promise<number> {
  await workbench.openFile("a.rpc")
  await workbench.lensTitles()
  await workbench.runCommand("Developer: Show Running Extensions")
  const row = workbench.page.getByRole("list", { name: "Runtime Extensions" }).getByRole("listitem", { name: "dotrpc" })
  await row.waitFor()
  const [, millis] = /Activation: (\d+)ms/.exec(await row.innerText()) ?? []
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
