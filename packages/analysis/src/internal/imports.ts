/** Resolves the imports of a file and the texts that it leads to, and reports imports that cannot be read or form a cycle. */
import type { Diagnostic, ParseResult, PreludeNode } from "@dotrpc/lang"
import type { Analysis, Import } from "../Analysis.ts"
import { fileName, importDirectives, importedUri, isUrl, linksOf, type Sources } from "../Imports.ts"
import { problem, replacement } from "../Problem.ts"
import { cyclesOf } from "./cycles.ts"

/** The imports of a file. `analyzed` gives the analysis of a file by its URI, `undefined` when there is none. */
export const linkImports = (
  prelude: PreludeNode,
  uri: string | undefined,
  cycles: ReadonlyMap<string, string>,
  analyzed: (uri: string) => Analysis | undefined,
  unreadable: Sources["unreadable"],
): ReadonlyArray<Import> =>
  importDirectives(prelude).map((directive): Import => {
    const target = uri === undefined ? undefined : importedUri(directive.value.text, uri)
    if (uri === undefined || target === undefined) return { directive }
    const analysis = cycles.has(edge(uri, target)) ? undefined : analyzed(target)
    const refused = unreadable?.get(target)
    return {
      directive,
      uri: target,
      analysis,
      problem: refused?.problem,
    }
  })

/** What is wrong with imports that lead to nothing that can be used. */
export const importDiagnostics = (
  imports: ReadonlyArray<Import>,
  uri: string | undefined,
  cycles: ReadonlyMap<string, string>,
): ReadonlyArray<Diagnostic> =>
  imports.flatMap(({ directive: { value }, uri: target, analysis, problem: refused }) => {
    if (analysis !== undefined) return []
    const quoted = /^(["'])(.+)\1$/.exec(value.text)?.[2]
    if (quoted !== undefined) {
      const fix = replacement("Remove the quotes", value, quoted)
      return [problem("A401", value, "the path of an import is written without quotes", fix)]
    }
    if (uri === undefined || (target === undefined && !isUrl(value.text) && !URL.canParse("x", uri)))
      return [problem("A401", value, "this text is not in a file, so there is no folder to import from: save it first")]
    if (target === undefined)
      return [problem("A401", value, "expected the path of a .rpc file, for example ./shared.rpc; found a URL")]
    const cycle = cycles.get(edge(uri, target))
    if (refused !== undefined) return [problem("A401", value, `${value.text} ${refused}`)]
    return cycle === undefined
      ? [problem("A401", value, `cannot read ${value.text}: the path is relative to the folder of this file`)]
      : [problem("A402", value, `files import each other in a cycle: ${cycle}`)]
  })

/** A file that a line leads to, and its text. */
interface Linked {
  readonly uri: string
  readonly text: string
  readonly problem?: string | undefined
}

/** Leads paths of a file to their texts. A document of `before` stays the same object while its text is the same. */
export const linkTexts = (
  paths: ReadonlyArray<string>,
  sources: Pick<Sources, "texts" | "unreadable"> | undefined,
  uri: string | undefined,
  before: ReadonlyMap<string, Linked> | undefined,
): ReadonlyMap<string, Linked> => {
  const documents = new Map<string, Linked>()
  for (const path of paths) {
    const target = uri === undefined ? undefined : importedUri(path, uri)
    if (target === undefined) continue
    const refused = sources?.unreadable?.get(target)?.problem
    const text = refused === undefined ? sources?.texts.get(target) : ""
    if (text === undefined) continue
    const known = before?.get(path)
    const isKnown = known?.text === text && known.uri === target && known.problem === refused
    const document = { uri: target, text, problem: refused }
    documents.set(path, isKnown ? known : document)
  }
  return documents
}

/** Every import that leads back to the file it is in, with the way around in words. */
export const circularImports = (targets: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyMap<string, string> => {
  const ways = new Map<string, string>()
  const cycleOf = cyclesOf(targets)
  for (const [from, leads] of targets) {
    const cycle = cycleOf.get(from)
    if (cycle === undefined) continue
    for (const target of leads.filter((uri) => cycleOf.get(uri) === cycle)) {
      // Who has read a hundred of them needs no other.
      const way =
        ways.size < 100 ? wayBack(target, from, targets, (uri) => cycleOf.get(uri) === cycle) : [target, "…", from]
      ways.set(edge(from, target), shortenedWay([from, ...way].map(fileName)).join(" → "))
    }
  }
  return ways
}

/** The files that each file imports, by their URIs. */
export const importTargets = (
  parsed: ParseResult,
  { files, uri }: Sources,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const targets = new Map<string, ReadonlyArray<string>>()
  for (const [from, { tree }] of [[uri, parsed] as const, ...files]) {
    if (targets.has(from)) continue
    const { imports } = linksOf(tree, from)
    targets.set(
      from,
      imports.filter((target) => target === uri || files.has(target)),
    )
  }
  return targets
}

/** The shortest way from a file to another one of its cycle. */
const wayBack = (
  from: string,
  home: string,
  targets: ReadonlyMap<string, ReadonlyArray<string>>,
  isOnCycle: (uri: string) => boolean,
): ReadonlyArray<string> => {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (const current of cameFrom.keys()) {
    if (cameFrom.has(home)) break
    for (const target of targets.get(current) ?? [])
      if (isOnCycle(target) && !cameFrom.has(target)) cameFrom.set(target, current)
  }
  const way: Array<string> = []
  for (let step: string | undefined = home; step !== undefined; step = cameFrom.get(step)) way.unshift(step)
  return way
}

/** A way that nobody would read to its end. */
export const shortenedWay = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length <= 12 ? names : [...names.slice(0, 6), "…", ...names.slice(-5)]

const edge = (from: string, to: string): string => `${from} ${to}`
