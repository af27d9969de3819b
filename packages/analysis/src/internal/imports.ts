/** Leads the imports and the ABIs of a file to their files, and says which imports lead nowhere or in a circle. */
import type { Diagnostic, FileNode, ParseResult, PreludeNode } from "@dotrpc/lang"
import type { Analysis } from "../Analysis.ts"
import type { FileNames, Import } from "../FileNames.ts"
import { fileName, importDirectives, importedAddress, type Sources } from "../Imports.ts"
import { problem, replacement } from "../Problem.ts"
import { type AbiDocument, abiPaths } from "./abi.ts"

/** The imports of a file. `analyzed` gives the analysis of a file by its address, `undefined` when there is none. */
export const linkImports = (
  prelude: PreludeNode,
  uri: string | undefined,
  circles: ReadonlyMap<string, string>,
  analyzed: (uri: string) => Analysis | undefined,
): ReadonlyArray<Import> =>
  importDirectives(prelude).map((directive): Import => {
    const target = uri === undefined ? undefined : importedAddress(directive.value.text, uri)
    if (uri === undefined || target === undefined) return { directive }
    const analysis = circles.has(edge(uri, target)) ? undefined : analyzed(target)
    return { directive, uri: target, ...(analysis === undefined ? {} : { analysis }) }
  })

/** What is wrong with imports that lead to nothing that can be used. */
export const importDiagnostics = (
  imports: ReadonlyArray<Import>,
  uri: string | undefined,
  circles: ReadonlyMap<string, string>,
): ReadonlyArray<Diagnostic> =>
  imports.flatMap(({ directive: { value }, uri: target, analysis }) => {
    if (analysis !== undefined) return []
    const quoted = /^(["'])(.+)\1$/.exec(value.text)?.[2]
    if (quoted !== undefined) {
      const fix = replacement("Remove the quotes", value, quoted)
      return [problem("A401", value, "the path of an import is written without quotes", fix)]
    }
    if (uri === undefined || (target === undefined && !value.text.includes(":")))
      return [problem("A401", value, "this text is not in a file, so there is no folder to import from: save it first")]
    if (target === undefined)
      return [problem("A401", value, "expected the path of a .rpc file, for example ./shared.rpc; found an address")]
    const circle = circles.get(edge(uri, target))
    return circle === undefined
      ? [problem("A401", value, `no file ${value.text} can be read: its path begins at the folder of this file`)]
      : [problem("A402", value, `files import each other in a circle: ${circle}`)]
  })

/** Leads the paths of a file to their texts. A document of `before` stays the same object while its text is the same. */
export const linkAbis = (
  tree: FileNode,
  sources: Pick<Sources, "texts"> | undefined,
  uri: string | undefined,
  before: FileNames["abiDocuments"] | undefined,
): FileNames["abiDocuments"] => {
  const documents = new Map<string, AbiDocument>()
  for (const path of abiPaths(tree)) {
    const address = uri === undefined ? undefined : importedAddress(path, uri)
    const text = address === undefined ? undefined : sources?.texts.get(address)
    if (address === undefined || text === undefined) continue
    const known = before?.get(path)
    documents.set(path, known?.text === text && known.uri === address ? known : { uri: address, text })
  }
  return documents
}

/** Every import that leads back to the file it is in, with the way around in words. */
export const circularImports = (parsed: ParseResult, { files, uri }: Sources): ReadonlyMap<string, string> => {
  const targets = new Map<string, ReadonlyArray<string>>()
  for (const [from, { tree }] of [[uri, parsed] as const, ...files]) {
    if (targets.has(from)) continue
    targets.set(
      from,
      importDirectives(tree.prelude).flatMap(({ value }) => importedAddress(value.text, from) ?? []),
    )
  }
  const wayBack = (from: string, home: string, seen: Set<string>): ReadonlyArray<string> | undefined => {
    if (from === home) return [home]
    if (seen.has(from)) return undefined
    seen.add(from)
    for (const target of targets.get(from) ?? []) {
      const way = wayBack(target, home, seen)
      if (way !== undefined) return [from, ...way]
    }
    return undefined
  }
  const circles = new Map<string, string>()
  for (const [from, leads] of targets) {
    for (const target of leads) {
      const way = wayBack(target, from, new Set())
      if (way !== undefined) circles.set(edge(from, target), [from, ...way].map(fileName).join(" → "))
    }
  }
  return circles
}

const edge = (from: string, to: string): string => `${from} ${to}`
