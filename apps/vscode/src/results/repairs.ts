/** What a click can do about an error: an edit of the document, or a run at a better time. Pure. */
import type { Analysis } from "@dotrpc/analysis"
import type { TextEdit } from "@dotrpc/lang"
import { type RequestReport, showMillis } from "@dotrpc/runner"

/** Nothing is edited or run before it is chosen. */
export type Repair =
  | { readonly kind: "edit"; readonly title: string; readonly edit: TextEdit }
  | { readonly kind: "wait"; readonly title: string; readonly millis: number }

/** The repairs for how a request ended, of the document as it is now. */
export const repairsFor = (analysis: Analysis, { error, request: { index } }: RequestReport): ReadonlyArray<Repair> => {
  const request = analysis.requests[index]
  if (error === undefined || request === undefined) return []
  const { call, section, settings, method } = request
  if (error.reason === "SplitRequired" && method?.range !== undefined && !settings.all) {
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
