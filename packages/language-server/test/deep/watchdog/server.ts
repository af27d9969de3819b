/** The server in a process of its own, as an editor starts it, with a watchdog on its thread. */
import { slowness, watchThread } from "@dotrpc/bombs"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { createConnection } from "vscode-languageserver/node"
import { serve } from "../../../src/index.ts"
import { type Files, makeHost } from "../../host.ts"

const { longest } = watchThread()
const files: Files = {}

/** Takes the files of a folder for those of the project. What is not a file, or far too large, is left out, as every host does. */
const load = (folder: string): number => {
  for (const uri of Object.keys(files)) delete files[uri]
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile() && statSync(path).size < largest)
      files[`file:///project/${entry.name}`] = readFileSync(path, "utf8")
  }
  return Object.keys(files).length
}

const largest = 16 * 1024 * 1024

process.on("message", async (question: string) => {
  if (question === "slowness") process.send?.(slowness())
  else if (question === "longest") process.send?.(await longest())
  else process.send?.(load(question))
})
process.on("disconnect", () => process.exit())
serve(createConnection(process.stdin, process.stdout), makeHost(files), { quietMillis: 0 })
