/**
 * The files that a document imports with `# @import PATH`. Analysing reads nothing, so anyone who has files reads them
 * beforehand, and those that they import in turn.
 *
 * Limit: a file provides what it defines itself, and not what it imports.
 */
import type { DirectiveNode, FileNode, ParseResult, PreludeNode } from "@dotrpc/lang"
import { abiPaths } from "./internal/abiDirectives.ts"
import { rowsPaths } from "./internal/rowsDirective.ts"
import { type FileText, largestText, type Unreadable } from "./Unreadable.ts"

/** A document's own URI and the files that its imports lead to. */
export interface Sources {
  readonly uri: string
  /** By URI; a file that cannot be read is missing. */
  readonly files: ReadonlyMap<string, ParseResult>
  /** The texts that `# @abi` and `# @each` lines lead to, by URI. */
  readonly texts: ReadonlyMap<string, string>
  /** Why a file that is there is not among them, by URI. */
  readonly unreadable?: ReadonlyMap<string, Unreadable> | undefined
  /** Files that are not there, by URI. */
  readonly missing?: ReadonlySet<string> | undefined
}

/** Every file that a document leads to, by URI, whether or not it could be read. */
export const namedFiles = ({
  files,
  missing = new Set(),
  texts,
  unreadable = new Map(),
}: Sources): ReadonlyArray<string> => [...files.keys(), ...texts.keys(), ...unreadable.keys(), ...missing]

/** The most files that a document leads to, directly or through others, and how much text is read of all of them. */
export const mostSources = 200

/** The most lines that lead to files, in all of these files together. */
const mostLinks = 2_000

const tooMany: Unreadable = {
  problem: `is not read: this file imports more than ${mostSources.toLocaleString("en")} others, directly or indirectly`,
}

const tooManyLinks: Unreadable = {
  problem: `is not read: the files that this file imports have more than ${mostLinks.toLocaleString("en")} imports in total`,
}

const tooMuch: Unreadable = {
  problem: `is not read: the files that this file imports have more than ${largestText / (1024 * 1024)} MB in total`,
}

/**
 * Reads every file that a document imports, directly or through others, each once. `read` answers `undefined` for a file
 * that is not there; one that answers with the result of before lets its analysis be used again. `readText` reads what
 * `# @abi` and `# @each` lead to. Both refuse what lies outside the folder `within`, wherever links lead: what `# @each` leads to is sent, so
 * that is the folder of the file with the line, and else it is what `rootOf` gives for that file.
 *
 * Of a document that leads to too much nothing is used, and each line of its own that leads to a file says why. So what a
 * file means depends on the files that it leads to, and never on who imports it: its analysis serves every document.
 */
export const readSources = async (
  uri: string,
  parsed: ParseResult,
  read: (uri: string, within?: string) => Promise<ParseResult | Unreadable | undefined>,
  readText: (uri: string, within?: string) => Promise<FileText>,
  rootOf: (uri: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Promise<Sources> => {
  const files = new Map<string, ParseResult>()
  const texts = new Map<string, string>()
  const unreadable = new Map<string, Unreadable>()
  const missing = new Set<string>()
  const asked = new Set<string>()
  let length = 0
  let links = 0
  /** Whether a file is still to be read. */
  const isNew = (key: string): boolean => {
    const known = asked.has(key)
    asked.add(key)
    return !known
  }
  const nothing = (problem: Unreadable): Sources => {
    const { abis, imports, rows } = linksOf(parsed.tree, uri)
    return {
      uri,
      files: new Map(),
      texts: new Map(),
      unreadable: new Map([...rows, ...abis, ...imports].map((to) => [to, problem])),
    }
  }
  const queue: Array<readonly [string, ParseResult]> = [[uri, parsed]]
  for (const [from, { tree }] of queue) {
    const { abis, count, imports, rows } = linksOf(tree, from)
    // A document may have as many lines as it likes that lead to the same files.
    if (from !== uri) links += count
    if (links > mostLinks) return nothing(tooManyLinks)
    const root = abis.length + imports.length === 0 ? undefined : await rootOf(from)
    for (const [target, folder] of [
      // What has not been saved is in no folder, and leads to no rows.
      ...rows.map((row) => [row, new URL(".", from).href] as const),
      ...abis.map((abi) => [abi, root] as const),
    ]) {
      if (!isNew(`text ${target} ${folder}`)) continue
      if (asked.size > mostSources) return nothing(tooMany)
      const text = await readText(target, folder)
      if (text === undefined) missing.add(target)
      else if (isUnreadable(text)) unreadable.set(target, text)
      else {
        length += text.length
        texts.set(target, text)
      }
      if (length > largestText) return nothing(tooMuch)
    }
    for (const target of imports) {
      if (!isNew(`import ${target}`)) continue
      if (asked.size > mostSources) return nothing(tooMany)
      const file = await read(target, root)
      if (file === undefined) missing.add(target)
      else if (isUnreadable(file)) unreadable.set(target, file)
      else {
        length += file.tree.tokens.text.length
        files.set(target, file)
        queue.push([target, file])
      }
      if (length > largestText) return nothing(tooMuch)
    }
  }
  return {
    uri,
    files,
    texts,
    unreadable: unreadable.size === 0 ? undefined : unreadable,
    missing: missing.size === 0 ? undefined : missing,
  }
}

const isUnreadable = (file: unknown): file is Unreadable =>
  typeof file === "object" && file !== null && "problem" in file

/** Where the lines of a file lead, by URI, each once. */
interface Links {
  readonly abis: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
  readonly imports: ReadonlyArray<string>
  /** Lines that import. */
  readonly count: number
}

/** A file that many import is asked for its links by each of them. */
const knownLinks = new WeakMap<FileNode, { readonly from: string; readonly links: Links }>()

/** Where the lines of the file at a URI lead. */
export const linksOf = (tree: FileNode, from: string): Links => {
  const known = knownLinks.get(tree)
  if (known?.from === from) return known.links
  const uris = (paths: ReadonlyArray<string>) => [...new Set(paths.flatMap((path) => importedUri(path, from) ?? []))]
  const directives = importDirectives(tree.prelude)
  const links = {
    abis: uris(abiPaths(tree)),
    rows: uris(rowsPaths(tree)),
    imports: uris(directives.map(({ value }) => value.text)),
    count: directives.length,
  }
  knownLinks.set(tree, { from, links })
  return links
}

/** Whether a text leads to other files, by `# @import`, `# @abi` or `# @each`. */
export const leadsToFiles = (tree: FileNode): boolean =>
  importDirectives(tree.prelude).length > 0 || abiPaths(tree).length > 0 || rowsPaths(tree).length > 0

/** The directives of a file that import another one. */
export const importDirectives = (prelude: PreludeNode): ReadonlyArray<DirectiveNode> =>
  prelude.directives.filter(({ name, value }) => name.text === "import" && value.text !== "")

/** Whether a path is a URI, or leads to another machine as `//host/share` does: nothing is read from there. */
export const isUrl = (path: string): boolean => /^(?:[a-z][a-z\d+.-]+:|[\\/]{2})/i.test(path)

/**
 * The URI of an imported file: its path, from the folder of the file that imports it. `undefined` when the path is a
 * URI itself, or when that file has no folder because it has not been saved.
 *
 * Invariant: what is imported is on the machine of the file that imports it.
 *
 * @example
 * importedUri("../names.rpc", "file:///project/logs/all.rpc") // "file:///project/names.rpc"
 */
export const importedUri = (path: string, from: string): string | undefined => {
  if (isUrl(path)) return undefined
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
  if (!URL.canParse(encoded, from)) return undefined
  const target = new URL(encoded, from)
  const { host, protocol } = new URL(from)
  // `/..//host/share` is `//host/share` as well.
  return target.host === host && target.protocol === protocol && !target.pathname.startsWith("//")
    ? target.href
    : undefined
}

/** How a file would import another one: `./shared.rpc`. Both URIs are of one file system. */
export const importPath = (uri: string, from: string): string => {
  const target = new URL(uri).pathname.split("/")
  const folder = new URL(from).pathname.split("/").slice(0, -1)
  let shared = 0
  while (shared < folder.length && shared < target.length - 1 && folder[shared] === target[shared]) shared++
  const up = folder.length - shared
  const way = [...Array.from({ length: up }, () => ".."), ...target.slice(shared)].join("/")
  return decodeURIComponent(up === 0 ? `./${way}` : way)
}

/** The last part of a URI. */
export const fileName = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))
