/** The declarations that `# @abi` puts in force, each a line of its own or a file of them. */
import type { Diagnostic, DirectiveNode, SectionNode } from "@dotrpc/lang"
import { type Abi, type AbiReader, type AbiReading, Json, type Plugin } from "@dotrpc/spec"
import type { AbiDocument, AbiFileProblem } from "../AbiDocument.ts"
import type { Analysis, FileNames } from "../Analysis.ts"
import { problem, warning } from "../Problem.ts"
import { atOnce, type Steps } from "../Steps.ts"
import type { Workspace } from "../Workspace.ts"
import { abiDirectives, isDeclaration } from "./abiDirectives.ts"
import { jsonPlace } from "./jsonPlace.ts"
import { type Place, placeIn } from "./textPlace.ts"

export interface AbiInForce {
  /** Nearest first: the section's own, the file's, the project's. Absent when nothing is declared. */
  readonly abi?: Abi | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** What a section, or the prelude, may decode by and name. */
export const abiInForce = (
  file: Pick<FileNames, "tree" | "abiDocuments">,
  section: SectionNode | undefined,
  plugin: Plugin | undefined,
  workspace: Workspace,
): AbiInForce => {
  const own = section === undefined ? [] : abiDirectives(section)
  const inherited = abiDirectives(file.tree.prelude)
  const configured = plugin === undefined ? undefined : workspace.abi.get(plugin.id)
  const reader = plugin?.abi
  if (reader === undefined) {
    const unused = plugin === undefined ? [] : own.map((directive) => noUse(directive, plugin))
    return { diagnostics: unused }
  }
  const readings = [...own, ...inherited].map((directive) => ({ directive, ...readDirective(directive, file, reader) }))
  const found = [...readings.flatMap(({ reading }) => ("abi" in reading ? reading.abi : [])), ...(configured ?? [])]
  return {
    ...(found.length === 0 ? {} : { abi: readings.length === 0 && configured !== undefined ? configured : found }),
    diagnostics: readings.flatMap(({ diagnostic }) => diagnostic ?? []),
  }
}

/** What is wrong with the `# @abi` of a prelude, whichever plugin its sections need. */
export const preludeAbiDiagnostics = (
  file: Pick<FileNames, "tree" | "abiDocuments">,
  { plugins }: Workspace,
): ReadonlyArray<Diagnostic> =>
  abiDirectives(file.tree.prelude).flatMap((directive) => {
    const readings = plugins.flatMap((plugin) =>
      plugin.abi === undefined ? [] : [readDirective(directive, file, plugin.abi)],
    )
    return readings.every(({ diagnostic }) => diagnostic !== undefined) ? (readings[0]?.diagnostic ?? []) : []
  })

const readDirective = (
  { value }: DirectiveNode,
  { abiDocuments }: Pick<FileNames, "abiDocuments">,
  reader: AbiReader,
): { readonly reading: AbiReading; readonly diagnostic?: Diagnostic | undefined } => {
  if (isDeclaration(value.text)) {
    const reading = reader.declaration(value.text)
    if ("abi" in reading) return { reading }
    const { end, problem: message, start } = reading
    // What is wrong in one place needs no example of the whole.
    if (start === undefined || end === undefined)
      return { reading, diagnostic: problem("A304", value, `${message}; an example is ${reader.example}`) }
    return { reading, diagnostic: problem("A304", { start: value.start + start, end: value.start + end }, message) }
  }
  const document = abiDocuments.get(value.text)
  const reading: AbiReading =
    document === undefined
      ? { problem: `cannot read ${value.text}: the path is relative to the folder of this file` }
      : document.problem === undefined
        ? readDocument(document, reader)
        : { problem: `${value.text} ${document.problem}` }
  if ("abi" in reading) return { reading }
  const advice = document === undefined ? `; expected a declaration such as ${reader.example}` : ""
  return { reading, diagnostic: problem("A304", value, reading.problem + advice) }
}

const noUse = ({ value }: DirectiveNode, plugin: Plugin): Diagnostic =>
  warning("A305", value, `@abi has no effect here: results of ${plugin.id} are not decoded by an ABI`)

/** The items of a file, or what is wrong in it: for a message elsewhere, and at its place. */
type AbiTextReading = { readonly abi: Abi } | { readonly problem: string; readonly inFile: PlacedProblem }

/** Line and character count from 0, the latter in UTF-16 units. */
interface PlacedProblem extends Place {
  readonly message: string
}

const readings = new WeakMap<AbiDocument, Map<AbiReader, AbiTextReading>>()

/** A document stays the same object as long as its text does, and is read once. */
const readDocument = (document: AbiDocument, reader: AbiReader): AbiTextReading =>
  atOnce(readingDocument(document, reader))

function* readingDocument(document: AbiDocument, reader: AbiReader): Steps<AbiTextReading> {
  const known = readings.get(document) ?? new Map<AbiReader, AbiTextReading>()
  readings.set(document, known)
  const reading = known.get(reader) ?? (yield* readingAbiText(document.text, fileName(document.uri), reader))
  known.set(reader, reading)
  return reading
}

/** Reads the files of a document in steps; the analysis takes what was read. */
export function* readingAbiDocuments(
  documents: FileNames["abiDocuments"],
  { plugins }: Workspace,
): Generator<void, void> {
  for (const document of documents.values())
    for (const { abi } of plugins)
      if (abi !== undefined && document.problem === undefined) yield* readingDocument(document, abi)
}

/** What is wrong in the files that a document leads to with `# @abi`, each once: in those that no plugin can read. */
export const abiFileProblems = ({
  abiDocuments,
  workspace: { plugins },
}: Pick<Analysis, "abiDocuments" | "workspace">): ReadonlyArray<AbiFileProblem> => {
  const found = new Map<string, AbiFileProblem>()
  for (const document of abiDocuments.values()) {
    if (document.problem !== undefined) continue
    const all = plugins.flatMap(({ abi }) => (abi === undefined ? [] : [readDocument(document, abi)]))
    const [first] = all.flatMap((reading) => ("abi" in reading ? [] : [reading.inFile]))
    if (first !== undefined && all.every((reading) => !("abi" in reading)))
      found.set(document.uri, { uri: document.uri, ...first })
  }
  return [...found.values()]
}

/** Reads the text of an ABI file; what is wrong is reported with the file's name. */
export const readAbiText = (text: string, name: string, reader: AbiReader): AbiTextReading =>
  atOnce(readingAbiText(text, name, reader))

/** As {@link readAbiText}, in steps. */
export function* readingAbiText(text: string, name: string, reader: AbiReader): Steps<AbiTextReading> {
  let document: Json.Json
  try {
    document = yield* Json.parsing(text)
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    const message = `is not JSON: ${withoutOffset(error.message)}`
    const place = yield* placeIn(text, error.offset)
    return { problem: `${shown(name, place)} ${message}`, inFile: { ...place, message } }
  }
  if (entriesIn(document) > mostEntries) {
    const message = `has more than ${mostEntries.toLocaleString("en")} entries, the most that are read`
    return { problem: `${name} ${message}`, inFile: { line: 0, character: 0, message } }
  }
  const reading =
    reader.readingDocument === undefined ? reader.document(document) : yield* reader.readingDocument(document)
  if ("abi" in reading) return reading
  const { path, problem: message } = reading
  if (path === undefined) return { problem: `${name}: ${message}`, inFile: { line: 0, character: 0, message } }
  const place = yield* placeIn(text, yield* jsonPlace(text, path))
  return { problem: `${shown(name, place)}: ${message}`, inFile: { ...place, message } }
}

/** `Token.json:3:12`, as editors and terminals link it. */
const shown = (name: string, { character, line }: Place): string => `${name}:${line + 1}:${character + 1}`

/** A contract has a few hundred at most; each is hashed. */
const mostEntries = 3_000

const entriesIn = (document: Json.Json): number => {
  const list = Json.isObject(document) ? document["abi"] : document
  return Array.isArray(list) ? list.length : 0
}

/** The line and column already give the place. */
const withoutOffset = (message: string): string =>
  message.replace(/ at offset \d+\.?$/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase())

const fileName = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1))
