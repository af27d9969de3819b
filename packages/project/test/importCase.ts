/** Plugins that import a module: Node itself says whether they do. The module sets a flag when it runs. */
import { execFileSync } from "node:child_process"
import { appendFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { codeOf } from "../src/node/index.ts"
import { folderWith } from "./folder.ts"

/** A module of either kind, which says that it was run. */
export const lib = (name = "lib") => `(globalThis.imported ??= []).push("${name}")\n`

/** The names of the modules that run when Node imports these plugins. */
export const importedByNode = (plugins: ReadonlyArray<string>): ReadonlySet<string> => {
  const run = `
    process.on("unhandledRejection", () => {})
    const { pathToFileURL } = require("node:url")
    const imports = ${JSON.stringify(plugins)}.map((plugin) => import(pathToFileURL(plugin).href))
    process.on("exit", () => console.log(JSON.stringify(globalThis.imported ?? [])))`
  const options = { cwd: dirname(plugins[0] ?? "."), encoding: "utf8" } as const
  return new Set<string>(JSON.parse(execFileSync(process.execPath, ["--no-warnings", "-e", run], options)))
}

/** Whether the code of a plugin is another one after a module has changed. */
export const notices = (folder: string, plugin: string, file: string): boolean => {
  const hash = () => codeOf(join(folder, "rpc.config.json"), [plugin]).hash
  const before = hash()
  appendFileSync(join(folder, file), "/* changed */")
  return before !== hash()
}

export interface Case {
  readonly plugin?: string
  readonly file?: string
  readonly others?: Readonly<Record<string, string>>
}

/** A plugin of this text imports the file, by one way or another, and is another one after the file has changed. */
export const checkImport = (text: string, { plugin = "./plugin.mjs", file = "lib.js", others = {} }: Case = {}) =>
  it(text.length > 100 ? `${text.slice(0, 100)}…` : text, () => {
    const folder = folderWith({ "rpc.config.json": "{}", [file]: lib(), ...others, [plugin]: text })
    expect(importedByNode([join(folder, plugin)])).toEqual(new Set(["lib"]))
    expect(notices(folder, plugin, file)).toBe(true)
  })

/** For a plugin that is a script. */
export const script = { plugin: "./plugin.cjs" }
