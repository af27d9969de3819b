/** In a process of its own: the test runner imports modules in its own way. */
import { build } from "esbuild"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { folderWith, lampPlugin } from "./folder.ts"

let tools: string

beforeAll(async () => {
  tools = folderWith({})
  await build({
    entryPoints: [join(import.meta.dirname, "../src/node/ImportFrom.ts")],
    outfile: join(tools, "importFrom.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["dotrpc-source"],
  })
})

/** What a program prints that may import a plugin with `read` and change files with `write` in between. */
const run = (program: string, files: Readonly<Record<string, string>>): string => {
  const folder = folderWith({
    ...files,
    "run.mjs": `import { writeFileSync } from "node:fs"
import { importAgainFrom, importFrom } from ${JSON.stringify(join(tools, "importFrom.mjs"))}
const write = (name, text) => writeFileSync(import.meta.dirname + "/" + name, text)
const titleOf = ({ exports, problem }) => problem ?? exports.default.title
const read = async (entry) => titleOf(await importAgainFrom(import.meta.dirname)(entry))
const readOnce = async (entry) => titleOf(await importFrom(import.meta.dirname)(entry))
${program}`,
  })
  return execFileSync(process.execPath, [join(folder, "run.mjs")], { encoding: "utf8" })
}

describe("importing a plugin again", () => {
  const check = (what: string, program: string, printed: string, files = lampPlugin()) =>
    it(what, () => expect(run(program, files)).toBe(printed))
  check(
    "gives what has changed, in the module and in those it imports",
    `console.log(await read("./lamp.mjs"))
write("lampTitle.mjs", 'export const title = "Torch"')
console.log(await read("./lamp.mjs"))`,
    "Lamp\nTorch\n",
  )
  check(
    "gives a module that could not be loaded before",
    `write("lampTitle.mjs", 'export const = 5')
console.log((await read("./lamp.mjs")).startsWith("cannot be loaded: SyntaxError"))
write("lampTitle.mjs", 'export const title = "Torch"')
console.log(await read("./lamp.mjs"))`,
    "true\nTorch\n",
  )
  check(
    "keeps the packages it imports",
    `console.log(await read("./lamp.mjs"))
write("node_modules/count/index.mjs", 'export const count = 5')
console.log(await read("./lamp.mjs"))`,
    "1\n1\n",
    {
      "lamp.mjs": 'import { count } from "count"\nexport default { title: count }\n',
      "node_modules/count/package.json": '{ "name": "count", "exports": "./index.mjs" }',
      "node_modules/count/index.mjs": "export const count = 1",
    },
  )
  check(
    "is not what importing it once does",
    `console.log(await readOnce("./lamp.mjs"))
write("lamp.mjs", 'export default { title: "Torch" }')
console.log(await readOnce("./lamp.mjs"))`,
    "Lamp\nLamp\n",
  )
})
