/** The files that a query reads, each by the name of a view. */
import { type ColumnFormat, columnFormats, formatOf } from "@dotrpc/columns/format"
import { type Dirent, readdirSync, statSync } from "node:fs"
import { basename, extname, join, resolve } from "node:path"
import { fileProblem, missing } from "../fileProblem.ts"
import { type Host, type NamedFile, namedFile } from "../Host.ts"
import { listedParts } from "./manifest.ts"

/** Files of one format that are read as one table. */
export interface Source {
  /** Of the view; unique in any case. */
  readonly name: string
  /** As it was named, where it is one file: SQL may name it by that too. */
  readonly typed: string | undefined
  readonly format: ColumnFormat
  /** Absolute. */
  readonly paths: ReadonlyArray<string>
  /** The folder of a backfill that has not written all of it yet. */
  readonly unfinished?: string | undefined
}

/** The sources that files and folders stand for, or what is wrong with the first that stands for none. */
export const sourcesOf = (
  host: Pick<Host["Service"], "cwd">,
  names: ReadonlyArray<string>,
): ReadonlyArray<Source> | { readonly problem: string } => {
  const found: Array<Source> = []
  for (const name of names) {
    const file = namedFile(host, name)
    const sources = sourcesAt(file)
    if ("problem" in sources) return { problem: `${name} ${sources.problem}` }
    for (const source of sources) found.push(source)
  }
  const pattern = found.flatMap(({ paths }) => paths).find((path) => /[*?[\]]/.test(path))
  if (pattern !== undefined)
    return { problem: `${basename(pattern)} has a character that DuckDB takes for a pattern: rename it, or its folder` }
  return withDistinctNames(found)
}

type Found = ReadonlyArray<Source> | { readonly problem: string }

const sourcesAt = (file: NamedFile): Found => {
  try {
    const stat = statSync(file.path, { throwIfNoEntry: false })
    if (stat === undefined) return { problem: `cannot be read: ${missing}` }
    if (stat.isDirectory()) return sourcesIn(file)
    const format = formatOf(file.path)
    if (!stat.isFile() || format === undefined) return { problem: "is not a .parquet, .csv or .ndjson file" }
    return [{ name: stemOf(file.path), typed: file.name, format, paths: [file.path] }]
  } catch (error) {
    return { problem: `cannot be read: ${fileProblem(error)}` }
  }
}

/** The parts of one whole are one source, by the name of their folder; every other file is one of its own. */
const sourcesIn = ({ name, path }: NamedFile): Found => {
  // Before the files, as a part is there before it is listed.
  const listed = listedParts(path)
  const found = readdirSync(path, { withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile() && formatOf(entry.name) !== undefined)
    .map((entry) => entry.name)
    .toSorted()
  const lost = [...(listed?.files ?? [])].find((file) => !found.includes(file))
  if (lost !== undefined) return { problem: `has a manifest.json that lists ${lost}, which is not there` }
  const files = found.filter((file) => !partOfBlocks.test(file) || listed === undefined || listed.files.has(file))
  if (files.length === 0 && listed?.isDone === false) return { problem: "has no part yet: its backfill has only begun" }
  if (files.length === 0) return { problem: "has no .parquet, .csv or .ndjson file" }
  if (files.length > mostFiles) return { problem: `has more than ${mostFiles} files: name some of them` }
  const parts = columnFormats.flatMap((format) => {
    const names = files.filter((file) => partOfBlocks.test(file) && formatOf(file) === format)
    return names.length === 0 ? [] : [{ format, names }]
  })
  return [
    ...parts.map(({ format, names }) => ({
      name: basename(resolve(path)),
      typed: undefined,
      format,
      paths: names.map((part) => join(path, part)),
      unfinished: listed?.isDone === false ? name : undefined,
    })),
    ...files
      .filter((file) => !partOfBlocks.test(file))
      .map((file) => ({
        name: stemOf(file),
        typed: join(name, file),
        format: formatOf(file) ?? "parquet",
        paths: [join(path, file)],
      })),
  ]
}

/** As `partName` of `@dotrpc/columns` makes them. */
const partOfBlocks = /^blocks-\d+-\d+(?:-\d+)?\.\w+$/

const mostFiles = 20_000

const stemOf = (path: string): string => basename(path, extname(path))

const withDistinctNames = (sources: ReadonlyArray<Source>): ReadonlyArray<Source> => {
  const taken = new Set<string>()
  return sources.map((source) => {
    let { name } = source
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${source.name}_${count}`
    taken.add(name.toLowerCase())
    return { ...source, name }
  })
}
