/** A plugin of a project's own, as its author has it: three modules in a folder. */
import { fileURLToPath } from "node:url"

import { build } from "esbuild"

const made = await build({
  entryPoints: [fileURLToPath(new URL("lampPlugin.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module"],
  conditions: ["dotrpc-source"],
  write: false,
})

/** The summary of its method is in a module of its own, which its index imports. Importing it leaves a file behind. */
export const lampFiles: Readonly<Record<string, string>> = {
  "package.json": '{ "type": "module" }\n',
  "rpc.config.json": `{
  "plugins": ["@dotrpc/plugin-evm", "./lamp/index.js"],
  "networks": { "evm": { "plugin": "evm", "url": "embedded:evm" }, "home": { "plugin": "lamp", "url": "http://127.0.0.1:9" } }
}
`,
  "lamp/index.js": `import { writeFileSync } from "node:fs"
import { pluginOf } from "./plugin.js"
import { summary } from "./summary.js"
writeFileSync(new URL("../ran.txt", import.meta.url), "ran")
export default pluginOf(summary)
`,
  "lamp/summary.js": 'export const summary = "Is a lamp on?"\n',
  "bundled.js": `${made.outputFiles[0]?.text ?? ""}\nexport default pluginOf("Is a bundled lamp on?")\n`,
  "lamp/plugin.js": made.outputFiles[0]?.text ?? "",
  "lamps.rpc": `### A lamp
# @name lamp
lamp_read ["desk"]

### A lamp without a name
lamp_read [5]

### A block
# @name block
eth_getBlockRange ["0x1", "0x1", false]
`,
}
