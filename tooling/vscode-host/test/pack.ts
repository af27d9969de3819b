/** Packs the probe into a `.vsix`, with one bundle for each extension host. */
import { rmSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

import { createVSIX } from "@vscode/vsce"
import { build } from "esbuild"

import { atExit } from "../src/AtExit.ts"
import type { PackedExtension } from "../src/index.ts"

const manifest = {
  name: "probe",
  publisher: "dotrpc",
  displayName: "Probe",
  description: "Shows one of everything that the workbench's verbs act on",
  version: "0.0.0",
  license: "MIT",
  engines: { vscode: "^1.100.0" },
  files: ["*.js"],
  main: "./node.js",
  browser: "./web.js",
  activationEvents: ["onLanguage:json"],
  contributes: {
    commands: [
      { command: "probe.show", title: "Show", category: "Probe" },
      { command: "probe.ask", title: "Ask", category: "Probe" },
    ],
  },
}

export interface PackedProbe extends PackedExtension, AsyncDisposable {}

export async function packProbe(): Promise<PackedProbe> {
  const sources = fileURLToPath(new URL("probe", import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), "probe-"))
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }))
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
  for (const host of ["node", "web"]) {
    await build({
      entryPoints: [join(sources, "extension.ts")],
      outfile: join(folder, `${host}.js`),
      bundle: true,
      format: "cjs",
      target: "es2023",
      external: ["vscode"],
      define: { madeFor: JSON.stringify(host) },
    })
  }
  const vsix = join(folder, "probe.vsix")
  await createVSIX({
    cwd: folder,
    packagePath: vsix,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  })
  return {
    id: "dotrpc.probe",
    vsix,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }).then(forget),
  }
}
