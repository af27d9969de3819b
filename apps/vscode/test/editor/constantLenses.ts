/**
 * A second extension, beside which ours is measured: above each call of a `.lensed` file it shows a lens that is always the
 * same, and does nothing else. What a key takes there is what the editor itself takes for so many lenses.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { createVSIX } from "@vscode/vsce"
import type { PackedExtension } from "@dotrpc/vscode-host"

const manifest = {
  publisher: "dotrpc-test",
  name: "constant-lenses",
  version: "1.0.0",
  description: "Lenses that never change.",
  license: "MIT",
  engines: { vscode: "^1.90.0" },
  main: "main.js",
  browser: "main.js",
  activationEvents: ["onLanguage:lensed"],
  contributes: { languages: [{ id: "lensed", extensions: [".lensed"] }] },
}

const main = `const { CodeLens, languages, Range } = require("vscode")
const command = { title: "Run · 255 credits", command: "dotrpc-test.none", arguments: [{}] }
exports.activate = ({ subscriptions }) => {
  subscriptions.push(languages.registerCodeLensProvider("lensed", {
    provideCodeLenses: (document) =>
      document.getText().split("\\n").flatMap((line, at) => line.startsWith("eth_")
        ? [new CodeLens(new Range(at, 0, at, line.length), command)] : []),
  }))
}
`

/** Packs it into a folder that is removed when the process ends. */
export const packConstantLenses = async (): Promise<PackedExtension> => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-lenses-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const vsix = join(folder, "constant-lenses.vsix")
  const files = {
    "package.json": JSON.stringify(manifest),
    "main.js": main,
    "README.md": "Lenses.\n",
    LICENSE: "MIT\n",
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await createVSIX({ cwd: folder, packagePath: vsix, dependencies: false, allowMissingRepository: true })
  return { id: `${manifest.publisher}.${manifest.name}`, vsix }
}
