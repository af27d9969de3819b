/** Figures of the code that `check:edges` prints and that must not grow. Pure: files in, figures out. */
import { dirname, join } from "node:path/posix"
import type { SourceFile } from "./check.ts"
import { nodesIn } from "./nodes.ts"

/** A function and how many lines it has. */
export interface Measured {
  readonly path: string
  readonly line: number
  readonly lines: number
}

/** The functions of these files that have more lines than these, the longest first. */
export const longFunctions = (files: ReadonlyArray<SourceFile>, lines: number): ReadonlyArray<Measured> =>
  files
    .filter(({ path, text }) => isSource(path) && text.split("\n").length > lines)
    .flatMap((file) => {
      const lineOf = (offset: number) => file.text.slice(0, offset).split("\n").length
      return nodesIn(file)
        .filter(({ type }) => functions.has(type))
        .map(({ end, start }) => ({ path: file.path, line: lineOf(start), lines: lineOf(end) - lineOf(start) + 1 }))
    })
    .filter((found) => found.lines > lines)
    .toSorted((left, right) => right.lines - left.lines)

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const isSource = (path: string): boolean => /^(?:packages|apps|tooling)\/[^/]+\/src\//.test(path)

/** An import of a folder that comes later in the order. */
export interface UpwardImport {
  readonly path: string
  readonly from: string
  readonly to: string
}

/**
 * The imports upwards in a folder whose own folders have an order: each may import those before it. A file directly in it counts as a
 * folder. One that the order does not have comes last.
 */
export const upwardImports = (
  files: ReadonlyArray<SourceFile>,
  root: string,
  order: ReadonlyArray<string>,
): ReadonlyArray<UpwardImport> => {
  const folderOf = (path: string) => path.slice(root.length).split("/")[0] ?? ""
  const rank = (folder: string) => (order.includes(folder) ? order.indexOf(folder) : order.length)
  return files.flatMap((file) => {
    if (!file.path.startsWith(root)) return []
    const from = folderOf(file.path)
    const imported = nodesIn(file).flatMap(({ source }) => {
      const value = typeof source === "object" && source !== null && "value" in source ? source.value : undefined
      return typeof value === "string" && value.startsWith(".") ? [join(dirname(file.path), value)] : []
    })
    return imported
      .filter((path) => path.startsWith(root) && rank(folderOf(path)) > rank(from))
      .map((path) => ({ path: file.path, from, to: folderOf(path) }))
  })
}
