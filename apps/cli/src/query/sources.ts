/** The files that a query reads, each by the name of a view. */
import { type ColumnFormat, columnFormats, formatOf } from "@dotrpc/columns/format"
import { type Dirent, readdirSync, statSync } from "node:fs"
import { basename, extname, join, resolve } from "node:path"
import { type FoundManifest, manifestIn } from "../BackfillManifest.ts"
import { fileProblem, missing } from "../fileProblem.ts"
import { type Host, type NamedFile, namedFile } from "../Host.ts"

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

/**
 * The parts of one whole are one source, by the name of their folder; every other file is one of its own. A manifest decides which
 * parts there are: others are not committed yet, or not any more, and their blocks are in those as well.
 */
const sourcesIn = ({ name, path }: NamedFile): Found => {
  // Before the files, as a part is there before it is listed.
  const manifest = manifestIn(path)
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile() && formatOf(entry.name) !== undefined)
    .map((entry) => entry.name)
    .toSorted()
  const whole = partsOf(
    manifest,
    files.filter((file) => partOfBlocks.test(file)),
  )
  if ("problem" in whole) return whole
  const others = files.filter((file) => !partOfBlocks.test(file))
  const isUnfinished = manifest !== undefined && !("problem" in manifest) && !manifest.isDone
  if (whole.length + others.length === 0)
    return {
      problem: isUnfinished ? "has no part yet: its backfill has only begun" : "has no .parquet, .csv or .ndjson file",
    }
  if (whole.length + others.length > mostFiles)
    return { problem: `has more than ${mostFiles} files: name some of them` }
  const parts = columnFormats.flatMap((format) => {
    const names = whole.filter((file) => formatOf(file) === format)
    return names.length === 0 ? [] : [{ format, names }]
  })
  return [
    ...parts.map(({ format, names }) => ({
      name: basename(resolve(path)),
      typed: undefined,
      format,
      paths: names.map((part) => join(path, part)),
      unfinished: isUnfinished ? name : undefined,
    })),
    ...others.map((file) => ({
      name: stemOf(file),
      typed: join(name, file),
      format: formatOf(file) ?? "parquet",
      paths: [join(path, file)],
    })),
  ]
}

/** The parts that count, of the files that are named like parts. */
const partsOf = (
  manifest: FoundManifest | { readonly problem: string } | undefined,
  named: ReadonlyArray<string>,
): ReadonlyArray<string> | { readonly problem: string } => {
  if (manifest === undefined) return named
  const advice = "name the parts to read"
  if ("problem" in manifest) {
    // A file of this name may be of something else, where no part is.
    return named.length === 0 ? named : { problem: `has a _manifest.json that ${manifest.problem}: ${advice}` }
  }
  const there = new Set(named)
  const listed = new Set<string>()
  for (const file of manifest.files) {
    if (!there.has(file))
      return { problem: `has a _manifest.json that lists ${file}, which is not a part in it: ${advice}` }
    if (listed.has(file)) return { problem: `has a _manifest.json that lists ${file} twice: ${advice}` }
    listed.add(file)
  }
  return [...listed]
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
