/** Renames a variable or a request in every file that knows it. */
import { type Analysis, importPath, outcomeMembers } from "@dotrpc/analysis"
import { offsetAt, type Position } from "@dotrpc/lang/locate"
import { locationIn } from "./definition.ts"
import type { Document } from "./Document.ts"
import { isSameFile, namesLent, occurrencesOf, type Target, targetAt, variablesSeen } from "./internal/names.ts"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** Why a name stays as it is, in words for the user. */
export interface Refusal {
  readonly reason: string
}

/** A change of the document, or of another file when there is an address. */
export interface FileChange extends TextChange {
  readonly uri?: string
}

/** What would be renamed: the name under the cursor and where it stands. */
export const prepareRename = (
  { analysis, lines }: Document,
  position: Position,
): { readonly range: TextRange; readonly name: string } | Refusal => {
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return { reason: "only variables and the names of requests can be renamed" }
  const refusal = refuseTarget(found.target)
  return refusal ?? { range: rangeOf(lines, found.span), name: found.target.name }
}

/** The changes that give the name under the cursor a new one, in this file and in the others that know it. */
export const rename = (
  document: Document,
  position: Position,
  newName: string,
): ReadonlyArray<FileChange> | Refusal => {
  const { analysis, lines, others } = document
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return { reason: "only variables and the names of requests can be renamed" }
  const refusal = refuseTarget(found.target) ?? refuseName(document, found.target, newName)
  if (refusal !== undefined) return refusal
  if (newName === found.target.name) return []
  return occurrencesOf(analysis, found.target, others).map(({ file, span }) => ({
    ...locationIn(document, file, span),
    text: newName,
  }))
}

const refuseTarget = (target: Target): Refusal | undefined => {
  if (target.kind === "environment")
    return { reason: `"${target.name}" is defined in rpc.config.json: rename it there and in every file that uses it` }
  if (target.kind === "outcome") return { reason: `"${target.name}" is a built-in name that every check can use` }
  return undefined
}

const refuseName = ({ analysis, others }: Document, target: Target, newName: string): Refusal | undefined => {
  if (newName === target.name) return undefined
  if (!/^[A-Za-z_]\w*$/.test(newName))
    return { reason: `"${newName}" is not a name: use letters, digits and _, and do not begin with a digit` }
  if (["true", "false", "null"].includes(newName)) return { reason: `"${newName}" is a reserved word of the language` }
  if (outcomeMembers.some((member) => member.name === newName))
    return { reason: `"${newName}" means the outcome of a request in every check: choose another name` }
  const taken = takenBy(analysis, target, newName, others)
  return taken === undefined ? undefined : { reason: `${taken} is named "${newName}": choose another name` }
}

/** A name is taken when any place that says the old one would then say something else, or the reverse. */
const takenBy = (
  analysis: Analysis,
  target: Target,
  newName: string,
  others: Document["others"],
): string | undefined => {
  if (target.kind === "variable" && target.holder.kind === "Section") {
    const { tree } = analysis
    if (variablesSeen(tree, target.holder.header.start).some((variable) => variable.name.text === newName))
      return "a variable of this file"
    return takenInFile(analysis, newName, false)
  }
  const occurrences = occurrencesOf(analysis, target, others)
  for (const file of new Set(occurrences.map((occurrence) => occurrence.file))) {
    const taken = takenInFile(file, newName, true)
    if (taken === undefined) continue
    const isHere = isSameFile(file, analysis) || file.uri === undefined || analysis.uri === undefined
    return isHere ? taken : taken.replace("this file", importPath(file.uri, analysis.uri))
  }
  return undefined
}

const takenInFile = (file: Analysis, newName: string, inSections: boolean): string | undefined => {
  const { requestNames, tree, workspace } = file
  if (requestNames.has(newName)) return "a request of this file"
  const holders = inSections ? [tree.prelude, ...tree.sections] : []
  if (holders.some(({ variables }) => variables.some(({ name }) => name.text === newName)))
    return "a variable of this file"
  if (namesLent(file).has(newName)) return "something that this file imports"
  const environments = [workspace.variables, ...[...workspace.environments.values()].map((read) => read().variables)]
  return environments.some((variables) => Object.hasOwn(variables, newName))
    ? "a variable of the environment"
    : undefined
}
