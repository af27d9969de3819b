/** Finds places that write files past the one module that does it safely. Pure: files in, violations out. */
import { parseSync, Visitor } from "oxc-parser"
import type { SourceFile, Violation } from "./check.ts"
import { fileWriters } from "./rules.ts"

export const findFileWrites = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files.flatMap((file) => {
    if (!/^(packages|apps)\/[^/]+\/src\//.test(file.path)) return []
    const allowed = fileWriters[file.path] ?? []
    return writesIn(file).flatMap(({ name, start }) =>
      allowed.includes(name)
        ? []
        : [
            {
              path: file.path,
              line: file.text.slice(0, start).split("\n").length,
              message: `may not use "${name}": files are written by AtomicFile of @dotrpc/project/node, which follows no planted link (exceptions, with a reason, in tooling/boundaries/src/rules.ts)`,
            },
          ],
    )
  })

interface Found {
  readonly name: string
  readonly start: number
}

/** What of the file system's modules a file imports that can write, and methods of such names that it calls on anything. */
const writesIn = ({ path, text }: SourceFile): ReadonlyArray<Found> => {
  const { module, program } = parseSync(path, text)
  const found: Array<Found> = []
  for (const { entries, moduleRequest } of module.staticImports) {
    if (!/^(node:)?fs(\/promises)?$/.test(moduleRequest.value)) continue
    for (const { importName, isType } of entries) {
      const name = importName.name ?? "*"
      if (!isType && (name === "*" || canWrite.has(name))) found.push({ name, start: moduleRequest.start })
    }
  }
  new Visitor({
    MemberExpression: (node) => {
      if (node.computed || node.property.type !== "Identifier") return
      const { name } = node.property
      if (canWrite.has(name) && !isCommonWord.has(name)) found.push({ name, start: node.start })
    },
  }).visit(program)
  return found
}

const inBoth = ["appendFile", "copyFile", "cp", "link", "open", "rename", "symlink", "truncate", "writeFile"]
const canWrite: ReadonlySet<string> = new Set([
  ...inBoth,
  ...inBoth.map((name) => `${name}Sync`),
  "createWriteStream",
  "WriteStream",
  "promises",
])
/** Methods of many other things are called that. */
const isCommonWord: ReadonlySet<string> = new Set(["cp", "link", "open", "promises", "rename", "truncate"])
