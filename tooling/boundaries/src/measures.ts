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

/** The longest function of these files. */
export const longestFunction = (files: ReadonlyArray<SourceFile>): Measured | undefined => {
  let longest: Measured | undefined
  for (const file of files) {
    const { path, text } = file
    if (!isSource(path) || text.split("\n").length <= (longest?.lines ?? 0)) continue
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length
    for (const { end, start, type } of nodesIn(file)) {
      if (!functions.has(type)) continue
      const lines = lineOf(end) - lineOf(start) + 1
      if (lines > (longest?.lines ?? 0)) longest = { path, line: lineOf(start), lines }
    }
  }
  return longest
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const isSource = (path: string): boolean => /^(?:packages|apps)\/[^/]+\/src\//.test(path)

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
