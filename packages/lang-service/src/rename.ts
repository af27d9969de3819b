/** Renames a variable or a request in its file. */
import { outcomeMembers } from "@dotrpc/analysis"
import { offsetAt, type Position } from "@dotrpc/lang"
import type { Document } from "./Document.ts"
import { occurrencesOf, type Target, targetAt, variablesSeen } from "./internal/names.ts"
import { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"

/** Why a name stays as it is, in words for the user. */
export interface Refusal {
  readonly reason: string
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

/** The changes that give the name under the cursor a new one, everywhere in the file. */
export const rename = (
  document: Document,
  position: Position,
  newName: string,
): ReadonlyArray<TextChange> | Refusal => {
  const { analysis, lines } = document
  const found = targetAt(analysis, offsetAt(lines, position))
  if (found === undefined) return { reason: "only variables and the names of requests can be renamed" }
  const refusal = refuseTarget(found.target) ?? refuseName(document, found.target, newName)
  if (refusal !== undefined) return refusal
  if (newName === found.target.name) return []
  return occurrencesOf(analysis, found.target).map(({ span }) => ({ range: rangeOf(lines, span), text: newName }))
}

const refuseTarget = (target: Target): Refusal | undefined => {
  if (target.kind === "environment")
    return { reason: `"${target.name}" is defined in rpc.config.json: rename it there and in every file that uses it` }
  if (target.kind === "outcome")
    return { reason: `"${target.name}" is a name of the language, which every check can use` }
  return undefined
}

const refuseName = ({ analysis }: Document, target: Target, newName: string): Refusal | undefined => {
  if (newName === target.name) return undefined
  if (!/^[A-Za-z_]\w*$/.test(newName))
    return { reason: `"${newName}" is not a name: use letters, digits and _, and begin with no digit` }
  if (["true", "false", "null"].includes(newName)) return { reason: `"${newName}" is a value of the language` }
  if (outcomeMembers.some((member) => member.name === newName))
    return { reason: `"${newName}" means the outcome of a request in every check: choose another name` }
  const taken = takenBy(analysis, target, newName)
  return taken === undefined ? undefined : { reason: `${taken} is named "${newName}": choose another name` }
}

/** A name is taken when any place that says the old one would then say something else, or the reverse. */
const takenBy = ({ requests, tree, workspace }: Document["analysis"], target: Target, newName: string) => {
  if (requests.some((request) => request.name === newName)) return "a request of this file"
  const inSection = target.kind === "variable" && target.holder.kind === "Section"
  const seen = inSection ? variablesSeen(tree, target.holder.header.start) : holdersOf(tree)
  if (seen.some((variable) => variable.name.text === newName)) return "a variable of this file"
  return Object.hasOwn(workspace.variables, newName) ? "a variable of the environment" : undefined
}

const holdersOf = (tree: Document["analysis"]["tree"]) =>
  [tree.prelude, ...tree.sections].flatMap((holder) => holder.variables)
