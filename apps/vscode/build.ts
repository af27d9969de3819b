/**
 * Bundles the extension twice: for the Node extension host, and for the web worker of VS Code in a browser.
 *
 * The web bundle ends in `.js`: the worker host appends that to any other name, so it cannot find a `.cjs` file.
 */
import { fileURLToPath } from "node:url"

import { build, type BuildOptions } from "esbuild"

const folder = fileURLToPath(new URL(".", import.meta.url))

const shared: BuildOptions = {
  absWorkingDir: folder,
  bundle: true,
  format: "cjs",
  conditions: ["dotrpc-source", "module"],
  external: ["vscode"],
  minify: true,
  // Names of classes and functions appear in error messages.
  keepNames: true,
  legalComments: "none",
  logLevel: "warning",
}

await build({
  ...shared,
  entryPoints: ["src/extension.ts"],
  platform: "node",
  target: "node20",
  outfile: "dist/extension.cjs",
})
await build({
  ...shared,
  entryPoints: ["src/extension.web.ts"],
  platform: "browser",
  target: "es2022",
  outfile: "dist/extension.web.js",
})
