/** Finds imports that the rules forbid. Pure: files in, violations out. */
import { parseSync } from "oxc-parser"
import { allowedEdges, appFolders, fences } from "./rules.ts"

export interface SourceFile {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface WorkspacePackage {
  readonly name: string
  /** From the root of the workspace, ending in a slash. */
  readonly folder: string
  /** Everything its package.json declares. */
  readonly declared: ReadonlyArray<string>
}

export interface Violation {
  readonly path: string
  readonly line: number
  readonly message: string
}

export const findViolations = (
  packages: ReadonlyArray<WorkspacePackage>,
  files: ReadonlyArray<SourceFile>,
): ReadonlyArray<Violation> =>
  files.flatMap((file) =>
    importsOf(file).flatMap(({ module, line }) => {
      const owner = packages.find((entry) => file.path.startsWith(entry.folder))
      const message = fenceProblem(file, module) ?? edgeProblem(packages, owner, file, module)
      return message === undefined ? [] : [{ path: file.path, line, message }]
    }),
  )

const fenceProblem = (file: SourceFile, module: string): string | undefined => {
  // Tests run on Node whatever the package supports, so only what ships is fenced.
  if (!file.path.includes("/src/")) return undefined
  const fence = fences.find((entry) => entry.module.test(module))
  if (fence === undefined || !isLibrary(file.path)) return undefined
  if (fence.only.some((folder) => file.path.startsWith(folder))) return undefined
  return `may not import "${module}": ${fence.why} (only ${fence.only.join(", ")})`
}

const edgeProblem = (
  packages: ReadonlyArray<WorkspacePackage>,
  owner: WorkspacePackage | undefined,
  file: SourceFile,
  module: string,
): string | undefined => {
  if (module.startsWith("..") && escapes(file.path, module, owner)) {
    return `may not reach into another package by path: "${module}"`
  }
  const target = packages.find((entry) => module === entry.name || module.startsWith(`${entry.name}/`))
  if (target === undefined || owner === undefined || target.name === owner.name) return undefined
  if (target.folder.startsWith("apps/")) return `may not import the app "${target.name}"`
  if (!owner.declared.includes(target.name)) return `imports "${target.name}", which its package.json does not declare`
  if (appFolders.some((folder) => owner.folder.startsWith(folder))) return undefined
  if (!isLibrary(file.path) || !file.path.includes("/src/")) return undefined
  const allowed = allowedEdges[owner.name]
  if (allowed === undefined) return `"${owner.name}" is not in the table of tooling/boundaries/src/rules.ts`
  return allowed.includes(target.name) ? undefined : `"${owner.name}" may not import "${target.name}"`
}

const isLibrary = (path: string): boolean => path.startsWith("packages/")

const escapes = (path: string, module: string, owner: WorkspacePackage | undefined): boolean => {
  const resolved = new URL(module, `file:///${path}`).pathname.slice(1)
  return owner !== undefined && !resolved.startsWith(owner.folder)
}

const importsOf = (file: SourceFile): ReadonlyArray<{ readonly module: string; readonly line: number }> => {
  const { module } = parseSync(file.path, file.text)
  const found = [
    ...module.staticImports.map((entry) => ({ module: entry.moduleRequest.value, start: entry.start })),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.flatMap((part) =>
        part.moduleRequest === null ? [] : [{ module: part.moduleRequest.value, start: entry.start }],
      ),
    ),
    ...module.dynamicImports.flatMap((entry) => {
      const text = file.text.slice(entry.moduleRequest.start, entry.moduleRequest.end)
      return /^["'`]/.test(text) ? [{ module: text.slice(1, -1), start: entry.start }] : []
    }),
  ]
  return found.map(({ module: name, start }) => ({ module: name, line: file.text.slice(0, start).split("\n").length }))
}
