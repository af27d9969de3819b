/** What a click can do about an error: edit the document, set a secret, or run again later. Pure. */
import type { Analysis, BoundRequest } from "@dotrpc/analysis"
import type { TextEdit } from "@dotrpc/lang"
import { type RequestReport, showMillis } from "@dotrpc/runner"

import { textsOf } from "../project/textsOf.ts"
import type { Project } from "../project/Project.ts"

/** Nothing is edited or run before it is chosen. */
export type Repair =
  | { readonly kind: "edit"; readonly title: string; readonly edit: TextEdit }
  | { readonly kind: "secret"; readonly title: string; readonly name: string }
  | { readonly kind: "wait"; readonly title: string; readonly millis: number }

/** The repairs for how a request ended, of the document and its project as they are now. */
export const repairsFor = (
  { analysis, project }: { readonly analysis: Analysis; readonly project: Pick<Project, "config"> },
  { error, request: { index } }: RequestReport,
): ReadonlyArray<Repair> => {
  const request = analysis.requests[index]
  if (error === undefined || request === undefined) return []
  const { call, section, settings, method } = request
  if (request.errors.length > 0) return [...fixes(request), ...unsetSecrets(analysis, request, project.config)]
  if (error.reason === "AuthFailed") return keysOf(request, project.config)
  if (isTooLarge.has(error.reason) && method?.range !== undefined && !settings.all) {
    const edit = { start: call.start, end: call.start, text: "# @all\n" }
    return [{ kind: "edit", title: "Read it in pieces (adds # @all)", edit }]
  }
  if (error.reason === "BudgetRefused" && error.budgetNeeded !== undefined) {
    const isBudget = ({ name }: { readonly name: { readonly text: string } }) => name.text === "budget"
    const budget = section.directives.findLast(isBudget) ?? analysis.tree.prelude.directives.findLast(isBudget)
    if (budget === undefined) return []
    const text = String(error.budgetNeeded)
    const edit = { start: budget.value.start, end: budget.value.end, text }
    return [{ kind: "edit", title: `Raise # @budget to ${text}`, edit }]
  }
  if (error.waitMillis === undefined) return []
  return [{ kind: "wait", title: `Run again in ${showMillis(error.waitMillis)}`, millis: error.waitMillis }]
}

/** Of the first mistake, which is the one that is shown. */
const fixes = ({ errors: [first] }: BoundRequest): ReadonlyArray<Repair> => {
  const [edit, ...others] = first?.fix?.edits ?? []
  return first?.fix === undefined || edit === undefined || others.length > 0
    ? []
    : [{ kind: "edit", title: first.fix.title, edit }]
}

/** Those that the request names, or the URL of its network, and that have no value. */
const unsetSecrets = ({ tree }: Analysis, request: BoundRequest, config: Project["config"]): ReadonlyArray<Repair> => {
  const { section, workspace } = request
  const text = tree.tokens.text.slice(section.start, section.end)
  return namesIn([text, ...textsOf(request, config)])
    .filter((name) => workspace.secret(name) === undefined)
    .map((name) => ({ kind: "secret", title: `Set ${name}`, name }))
}

const keysOf = (request: BoundRequest, config: Project["config"]): ReadonlyArray<Repair> =>
  namesIn(textsOf(request, config)).map((name) => ({ kind: "secret", title: `Set ${name} again`, name }))

/** Names of secrets in texts, each once. */
const namesIn = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(/\$secret\.(\w+)/g)].flatMap(([, name]) => name ?? []))),
]

/** Reasons of a query that parts of it do not fail with. */
const isTooLarge: ReadonlySet<string> = new Set(["SplitRequired", "ReplyTooLarge"])
