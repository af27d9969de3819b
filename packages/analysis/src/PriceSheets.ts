/** The price sheets that a configuration names: those of providers by their ids, its own by the paths of their files. */
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { providers, sheetOf } from "@dotrpc/prices"
import { nearest, type ParamPath, type PriceSheet } from "@dotrpc/spec"
import { importedUri } from "./Imports.ts"
import { parsePriceSheet } from "./PriceSheetFile.ts"
import type { ProjectConfig } from "./ProjectConfig.ts"
import type { FileText } from "./Unreadable.ts"
import type { WorkspaceProblem } from "./WorkspaceProblem.ts"

/** The files of a project's own sheets, by their paths as the configuration writes them. */
export type PriceSheetFiles = ReadonlyMap<string, FileText>

/** Reads the files that a configuration names with `"prices": "./ours.json"`: paths from its own folder, to files in the folder `within`. */
export const readPriceSheets = async (
  config: ProjectConfig,
  configUri: string,
  readFile: (uri: string, within?: string) => Promise<FileText>,
  within?: string,
): Promise<PriceSheetFiles> => {
  const files = new Map<string, FileText>()
  for (const { name } of sheetNames(config)) {
    const uri = isSheetPath(name) && !files.has(name) ? importedUri(name, configUri) : undefined
    if (uri !== undefined) files.set(name, await readFile(uri, within))
  }
  return files
}

/** Whether a configuration names files of its own. */
export const hasPriceSheetFiles = (config: ProjectConfig): boolean =>
  sheetNames(config).some(({ name }) => isSheetPath(name))

/** Whether `"prices"` names a file: ids of providers have neither a dot nor a slash. */
export const isSheetPath = (name: string): boolean => /[./\\]/.test(name)

/** `unknown provider "alchmy"; did you mean "alchemy"?` */
export const unknownProvider = (name: string): string => {
  const meant = nearest(name, providers)
  const hint =
    meant === undefined
      ? "dotrpc prices lists all of them; a file needs its path, such as ./ours.json"
      : `did you mean "${meant}"?`
  return `unknown provider "${name}"; ${hint}`
}

/** The sheet of a name in the configuration; `undefined` where `sheetProblems` says why there is none. */
export const sheetNamed = (name: string, files: PriceSheetFiles): PriceSheet.PriceSheet | undefined => {
  if (!isSheetPath(name)) return sheetOf(name)
  const text = files.get(name)
  return typeof text === "string" ? readSheet(text).sheet : undefined
}

/** The sheets of providers that an editor is set to compare, each once, and in words the names that are not one. */
export const comparedSheets = (
  names: ReadonlyArray<string>,
): { readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>; readonly problems: ReadonlyArray<string> } => {
  const asked = [...new Set(names)].slice(0, mostCompared)
  return {
    sheets: asked.flatMap((name) => sheetOf(name) ?? []),
    problems: asked.filter((name) => sheetOf(name) === undefined).map(unknownProvider),
  }
}

/** More do not fit into a line. */
const mostCompared = 6

/** What is wrong with the names of sheets in a configuration, and with the files that they lead to. */
export const sheetProblems = (config: ProjectConfig, files: PriceSheetFiles): ReadonlyArray<WorkspaceProblem> => {
  const problems = problemsOfNames(config, files)
  // A sheet that cannot be read may have any id.
  return problems.length > 0 ? problems : problemsOfLimits(config, files)
}

const problemsOfNames = (config: ProjectConfig, files: PriceSheetFiles): ReadonlyArray<WorkspaceProblem> =>
  sheetNames(config).flatMap(({ name, path }) => {
    if (!isSheetPath(name)) return sheetOf(name) === undefined ? [{ message: unknownProvider(name), path }] : []
    const text = files.get(name)
    if (typeof text !== "string") return [{ message: `${name} ${text?.problem ?? "cannot be read"}`, path }]
    const lines = lineIndex(text)
    return readSheet(text).problems.map(({ message, start }) => {
      const { character, line } = positionAt(lines, start)
      return { message: `${name}:${line + 1}:${character + 1}: ${message}`, path }
    })
  })

/** Limits for accounts that no network is paid from: without a report, a misspelled one would limit nothing. */
const problemsOfLimits = (config: ProjectConfig, files: PriceSheetFiles): ReadonlyArray<WorkspaceProblem> => {
  const known = [...new Set(sheetNames(config).flatMap(({ name }) => sheetNamed(name, files)?.id ?? []))]
  return Object.keys(config.limits?.accounts ?? {}).flatMap((id) => {
    if (known.includes(id)) return []
    const meant = nearest(id, known)
    const choice = known.length === 0 ? 'add "prices" to the networks it is for' : `expected one of ${known.join(", ")}`
    const hint = meant === undefined ? choice : `did you mean "${meant}"?`
    return [{ message: `no network has the price sheet "${id}"; ${hint}`, path: ["limits", "accounts", id] }]
  })
}

interface SheetName {
  readonly name: string
  readonly path: ParamPath
}

const sheetNames = ({ environments = {}, networks = {}, prices }: ProjectConfig): ReadonlyArray<SheetName> => {
  const inNetworks = (room: ParamPath, own: NonNullable<ProjectConfig["networks"]>): ReadonlyArray<SheetName> =>
    Object.entries(own).flatMap(([id, { prices: name }]) =>
      name === undefined ? [] : [{ name, path: [...room, id, "prices"] }],
    )
  return [
    ...(prices === undefined ? [] : [{ name: prices, path: ["prices"] }]),
    ...inNetworks(["networks"], networks),
    ...Object.entries(environments).flatMap(([name, own]) =>
      inNetworks(["environments", name, "networks"], own.networks ?? {}),
    ),
  ]
}

/** Read once: a text leads to the same sheet, so what is kept by sheet is kept. */
const readSheet = (text: string): ReturnType<typeof parsePriceSheet> => {
  const known = reads.get(text) ?? parsePriceSheet(text)
  if (reads.size >= mostReads) reads.clear()
  reads.set(text, known)
  return known
}

const reads = new Map<string, ReturnType<typeof parsePriceSheet>>()
const mostReads = 50
