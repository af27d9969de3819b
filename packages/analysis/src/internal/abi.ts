/** The declarations that `# @abi` puts in force, each a line of its own or a file of them. */
import type { Diagnostic, DirectiveNode, SectionNode } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { type Abi, type AbiReader, type AbiReading, Json, type Plugin } from "@dotrpc/spec"
import type { AbiDocument } from "../AbiDocument.ts"
import type { FileNames } from "../Analysis.ts"
import { problem, warning } from "../Problem.ts"
import { atOnce, type Steps } from "../Steps.ts"
import type { Workspace } from "../Workspace.ts"
import { abiDirectives, isDeclaration } from "./abiDirectives.ts"
import { jsonPlace } from "./jsonPlace.ts"

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

const readings = new WeakMap<AbiDocument, Map<AbiReader, AbiReading>>()

/** A document stays the same object as long as its text does, and is read once. */
const readDocument = (document: AbiDocument, reader: AbiReader): AbiReading => {
  const known = readings.get(document) ?? new Map<AbiReader, AbiReading>()
  readings.set(document, known)
  const reading = known.get(reader) ?? readAbiText(document.text, fileName(document.uri), reader)
  known.set(reader, reading)
  return reading
}

/** Reads the text of an ABI file; what is wrong is reported with the file's name. */
export const readAbiText = (text: string, name: string, reader: AbiReader): AbiReading =>
  atOnce(readingAbiText(text, name, reader))

/** As {@link readAbiText}, in steps. */
export function* readingAbiText(text: string, name: string, reader: AbiReader): Steps<AbiReading> {
  let document: Json.Json
  try {
    document = yield* Json.parsing(text)
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    return { problem: `${placeIn(text, name, error.offset)} is not JSON: ${withoutOffset(error.message)}` }
  }
  if (entriesIn(document) > mostEntries)
    return { problem: `${name} has more than ${mostEntries.toLocaleString("en")} entries, the most that are read` }
  const reading = reader.document(document)
  if ("abi" in reading) return reading
  const { path, problem: message } = reading
  return { problem: `${path === undefined ? name : placeIn(text, name, jsonPlace(text, path))}: ${message}` }
}

/** `Token.json:3:12`, as editors and terminals link it. */
const placeIn = (text: string, name: string, offset: number): string => {
  const { character, line } = positionAt(lineIndex(text), offset)
  return `${name}:${line + 1}:${character + 1}`
}

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
