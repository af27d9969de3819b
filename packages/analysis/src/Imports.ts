/**
 * The files that a document imports with `# @import PATH`. Analysing reads nothing, so whoever has files reads them
 * beforehand, and those that they import in turn.
 *
 * Limit: a file lends what it defines itself, and not what it imports.
 */
import type { DirectiveNode, FileNode, ParseResult, PreludeNode } from "@dotrpc/lang"
import { abiPaths } from "./internal/abi.ts"

/** A document's own address and the files that its imports lead to. */
export interface Sources {
  readonly uri: string
  /** By address; a file that cannot be read is missing. */
  readonly files: ReadonlyMap<string, ParseResult>
  /** The texts that `# @abi` lines lead to, by address. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Reads every file that a document imports, directly or through others, each once. `read` answers `undefined` for a file
 * that is not there; one that answers with the result of before lets its analysis be used again. `readText` reads what
 * `# @abi` leads to.
 */
export const readSources = async (
  uri: string,
  parsed: ParseResult,
  read: (uri: string) => Promise<ParseResult | undefined>,
  readText: (uri: string) => Promise<string | undefined>,
): Promise<Sources> => {
  const files = new Map<string, ParseResult>()
  const texts = new Map<string, string>()
  const asked = new Set<string>()
  const follow = async (from: string, { tree }: ParseResult): Promise<void> => {
    for (const path of abiPaths(tree)) {
      const target = importedAddress(path, from)
      const text = target === undefined || texts.has(target) ? undefined : await readText(target)
      if (target !== undefined && text !== undefined) texts.set(target, text)
    }
    for (const { value } of importDirectives(tree.prelude)) {
      const target = importedAddress(value.text, from)
      if (target === undefined || asked.has(target)) continue
      asked.add(target)
      const file = await read(target)
      if (file === undefined) continue
      files.set(target, file)
      await follow(target, file)
    }
  }
  await follow(uri, parsed)
  return { uri, files, texts }
}

/** Whether a text leads to other files, by `# @import` or `# @abi`. */
export const leadsToFiles = (tree: FileNode): boolean =>
  importDirectives(tree.prelude).length > 0 || abiPaths(tree).length > 0

/** The directives of a file that import another one. */
export const importDirectives = (prelude: PreludeNode): ReadonlyArray<DirectiveNode> =>
  prelude.directives.filter(({ name, value }) => name.text === "import" && value.text !== "")

/**
 * The address of an imported file: its path, from the folder of the file that imports it. `undefined` when the path is an
 * address itself, or when that file has no folder because it has not been saved.
 *
 * @example
 * importedAddress("../names.rpc", "file:///project/logs/all.rpc") // "file:///project/names.rpc"
 */
export const importedAddress = (path: string, from: string): string | undefined => {
  if (/^[a-z][a-z\d+.-]+:/i.test(path)) return undefined
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
  return URL.canParse(encoded, from) ? new URL(encoded, from).href : undefined
}

/** How a file would import another one: `./shared.rpc`. Both addresses are of one file system. */
export const importPath = (uri: string, from: string): string => {
  const target = new URL(uri).pathname.split("/")
  const folder = new URL(from).pathname.split("/").slice(0, -1)
  let shared = 0
  while (shared < folder.length && shared < target.length - 1 && folder[shared] === target[shared]) shared++
  const up = folder.length - shared
  const way = [...Array.from({ length: up }, () => ".."), ...target.slice(shared)].join("/")
  return decodeURIComponent(up === 0 ? `./${way}` : way)
}

/** The last part of an address. */
export const fileName = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))
