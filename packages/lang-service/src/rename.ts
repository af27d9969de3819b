/** Renames a variable or a request in every file that knows it. */
import {
  type Analysis,
  atOnce,
  importPath,
  lendersOf,
  mentionsIn,
  outcomeMembers,
  resolveName,
  type Steps,
} from "@dotrpc/analysis"
import { offsetAt, type Position } from "@dotrpc/lang/locate"
import { locatorIn } from "./definition.ts"
import type { AnalysedText } from "./AnalysedText.ts"
import {
  findingOccurrences,
  type Holder,
  holdersWith,
  isSameFile,
  type Occurrence,
  type Target,
  targetAt,
} from "./internal/names.ts"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** Why a name stays as it is, in words for the user. */
export interface Refusal {
  readonly reason: string
}

/** A change of the document, or of another file when there is an address. */
export interface FileChange extends TextChange {
  readonly uri?: string | undefined
}

/** What would be renamed: the name under the cursor and where it stands. */
export const prepareRename = (
  { analysis, lines }: AnalysedText,
  position: Position,
): { readonly range: TextRange; readonly name: string } | Refusal => {
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return { reason: "only variables and the names of requests can be renamed" }
  const refusal = refuseTarget(found.target)
  return refusal ?? { range: rangeOf(lines, found.span), name: found.target.name }
}

/** The changes that give the name under the cursor a new one, in this file and in the others that know it. */
export const rename = (
  document: AnalysedText,
  position: Position,
  newName: string,
): ReadonlyArray<FileChange> | Refusal => atOnce(renameSteps(document, position, newName))

/** As {@link rename}, in steps of one place or section each. */
export function* renameSteps(
  document: AnalysedText,
  position: Position,
  newName: string,
): Steps<ReadonlyArray<FileChange> | Refusal> {
  const { analysis, lines, others } = document
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return { reason: "only variables and the names of requests can be renamed" }
  const { target } = found
  const refusal = refuseTarget(target) ?? refuseName(target, newName)
  if (refusal !== undefined) return refusal
  if (newName === target.name) return []
  const occurrences = yield* findingOccurrences(analysis, target, others)
  const taken = yield* findingWhatTakes(document, target, newName, occurrences)
  if (taken !== undefined) return { reason: `${taken}: choose another name` }
  const locate = locatorIn(document)
  const changes: Array<FileChange> = []
  for (const { file, span } of occurrences) {
    yield
    changes.push({ ...locate(file, span), text: newName })
  }
  return changes
}

const refuseTarget = (target: Target): Refusal | undefined => {
  if (target.kind === "environment")
    return { reason: `"${target.name}" is defined in rpc.config.json: rename it there and in every file that uses it` }
  if (target.kind === "outcome") return { reason: `"${target.name}" is a built-in name that every check can use` }
  if (target.kind === "row") return { reason: '"row" is the built-in name of the row in a section with # @each' }
  return undefined
}

const refuseName = (target: Target, newName: string): Refusal | undefined => {
  if (newName === target.name) return undefined
  if (!/^[A-Za-z_]\w*$/.test(newName))
    return { reason: `"${newName}" is not a name: use letters, digits and _, and do not begin with a digit` }
  if (["true", "false", "null"].includes(newName)) return { reason: `"${newName}" is a reserved word of the language` }
  if (outcomeMembers.some((member) => member.name === newName))
    return { reason: `"${newName}" means the outcome of a request in every check: choose another name` }
  return undefined
}

/** A name is taken when any place that says the old one would then say something else, or the reverse. */
function* findingWhatTakes(
  { analysis, others = [] }: AnalysedText,
  target: Target,
  newName: string,
  occurrences: ReadonlyArray<Occurrence>,
): Steps<string | undefined> {
  const { prelude } = analysis.tree
  if (target.kind === "variable" && target.holder.kind === "Section")
    return yield* findingIn(analysis, newName, [target.holder], [prelude])
  const users = [analysis, ...others].filter(
    (file) =>
      target.kind !== "outcome" &&
      target.kind !== "environment" &&
      target.kind !== "row" &&
      lendersOf(file).some((lender) => isSameFile(lender, target.file)),
  )
  for (const file of new Set([...occurrences.map((occurrence) => occurrence.file), ...users])) {
    const taken = yield* findingIn(file, newName, holdersWith(file, newName), [])
    if (taken === undefined) continue
    const isHere = isSameFile(file, analysis) || file.uri === undefined || analysis.uri === undefined
    return isHere ? taken : taken.replace("this file", importPath(file.uri, analysis.uri))
  }
  return undefined
}

/** Whether a name is defined for a whole file or in some of its holders, or is mentioned in those without a definition. */
function* findingIn(
  file: Analysis,
  newName: string,
  holders: Iterable<Holder>,
  others: ReadonlyArray<Holder>,
): Steps<string | undefined> {
  yield
  const { workspace } = file
  const named = `is named "${newName}"`
  if (file.namedRequests.has(newName)) return `a request of this file ${named}`
  const users: Array<Holder> = []
  for (const holder of holders) {
    yield
    users.push(holder)
  }
  if ([...users, ...others].some(({ variables }) => variables.some(({ name }) => name.text === newName)))
    return `a variable of this file ${named}`
  const found = resolveName(newName, { file }, workspace)
  if (found?.kind === "variable" || found?.kind === "request") return `something that this file imports ${named}`
  const environments = [workspace.variables, ...[...workspace.environments.values()].map((read) => read().variables)]
  if (environments.some((variables) => Object.hasOwn(variables, newName)))
    return `a variable of the environment ${named}`
  for (const holder of users) {
    yield
    const mentions = mentionsIn(file, holder.kind === "Section" ? holder : undefined)
    const isMentioned =
      holder.directives.some(({ name, value }) => name.text === "ref" && value.text === newName) ||
      mentions.some(({ node }) => node.name === newName)
    if (isMentioned) return `this file mentions "${newName}" already`
  }
  return undefined
}
