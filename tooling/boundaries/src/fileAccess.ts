/** Finds places that read or write files past the modules that do it safely. Pure: files in, violations out. */
import { parseSync, Visitor } from "oxc-parser"
import type { SourceFile, Violation } from "./check.ts"
import { fileAccess } from "./rules.ts"

export const findFileAccess = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Violation> =>
  files.flatMap((file) => {
    if (!/^(packages|apps)\/[^/]+\/src\//.test(file.path)) return []
    const allowed = fileAccess[file.path] ?? []
    return accessIn(file).flatMap(({ name, start }) =>
      allowed.includes(name)
        ? []
        : [
            {
              path: file.path,
              line: file.text.slice(0, start).split("\n").length,
              message: `may not use "${name}": ${canReadAny.has(name) ? anyReaders : canRead.has(name) ? readers : writers} (exceptions, with a reason, in tooling/boundaries/src/rules.ts)`,
            },
          ],
    )
  })

const readers =
  "files are read by RegularFile of @dotrpc/project/node, which reads no pipe, no device and nothing beyond a limit"
const anyReaders =
  "a file that a text of a project names is read by FileWithin of @dotrpc/project/node, or by namedFiles of the extension, which look where it really lies"
const writers = "files are written by AtomicFile of @dotrpc/project/node, which follows no planted link"

interface Found {
  readonly name: string
  readonly start: number
}

/** The functions of the file system's modules that a file imports and that can do either, and methods of such names that it calls on anything. */
const accessIn = ({ path, text }: SourceFile): ReadonlyArray<Found> => {
  const { module, program } = parseSync(path, text)
  const found: Array<Found> = []
  for (const { entries, moduleRequest } of module.staticImports) {
    const isFs = /^(node:)?fs(\/promises)?$/.test(moduleRequest.value)
    for (const { importName, isType } of entries) {
      const name = importName.name ?? "*"
      if (isType) continue
      if (isFs ? name === "*" || canRead.has(name) || canWrite.has(name) : canReadAny.has(name))
        found.push({ name, start: moduleRequest.start })
    }
  }
  new Visitor({
    MemberExpression: (node) => {
      if (node.computed || node.property.type !== "Identifier") return
      const { name } = node.property
      const { object } = node
      const isOfEditor =
        object.type === "MemberExpression" && "name" in object.property && object.property.name === "fs"
      if (name === "readFile" && isOfEditor) found.push({ name: "fs.readFile", start: node.start })
      else if ((canRead.has(name) || canWrite.has(name)) && !isCommonWord.has(name))
        found.push({ name, start: node.start })
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
const canRead: ReadonlySet<string> = new Set(["createReadStream", "readFile", "readFileSync", "ReadStream"])
/** They read whatever a path leads to. */
const canReadAny: ReadonlySet<string> = new Set([
  "fs.readFile",
  "readFileText",
  "readRegularFile",
  "readRegularFileSync",
  "readTextFile",
  "readTextFileSync",
])
/** Methods of many other things are called that. */
const isCommonWord: ReadonlySet<string> = new Set(["cp", "link", "open", "promises", "readFile", "rename", "truncate"])
