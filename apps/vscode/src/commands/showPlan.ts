/** What running a file would send, in which order and at what price. Nothing is sent; choosing a request goes to it. */
import { type BoundRequest, hostOf, priceParts, comparedSheets, priceElsewhere, showElsewhere } from "@dotrpc/analysis"
import { makePlan, type RunPlan } from "@dotrpc/runner"
import { Price, PriceSheet } from "@dotrpc/spec"
import * as vscode from "vscode"
import type { Analyses } from "../project/Analyses.ts"
import type { Projects } from "../project/Projects.ts"
import { pick } from "../Shown.ts"
import { comparedPrices } from "../language/comparedPrices.ts"

export const showPlan = async (editor: vscode.TextEditor, analyses: Analyses, projects: Projects): Promise<void> => {
  const { document } = editor
  await projects.loaded(document.uri)
  const plan = makePlan((await analyses.loaded(document)).analysis)
  const elsewhere = planElsewhere(plan, comparedPrices(document.uri), Date.now())
  const picked = await pick(plan.requests.map(itemOf), {
    title: [`${Price.showSum(plan.requests.flatMap(priceOf))} in total`, ...elsewhere, "nothing was sent"].join(" · "),
    placeHolder: "Requests in the order they run; choose one to go to it",
  })
  if (picked === undefined) return
  const start = document.positionAt(picked.call.start)
  editor.selection = new vscode.Selection(start, start)
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport)
}

const placeOf = (request: BoundRequest): string => {
  const host = hostOf(request)
  const network = request.network?.id ?? "no network"
  return host === undefined ? network : `${network} @ ${host}`
}

const priceOf = (request: BoundRequest) => (request.errors.length > 0 ? [] : priceParts(request))

const itemOf = (request: BoundRequest, position: number) => {
  const [error] = request.errors
  const prices = priceOf(request)
  const other = request.compare === undefined ? "" : `, compared with ${request.compare.network.id}`
  return {
    value: request,
    label: `${position + 1}. ${request.label}`,
    description: `${prices.length === 0 ? "not sent" : Price.showSum(prices)} · ${request.method?.name ?? request.call.method.text} on ${placeOf(request)}${other}`,
    detail: error?.message,
  }
}

/** `alchemy ~206 CU ($0.0000927)`, for each of the names; what is not the id of a sheet says so. */
export const planElsewhere = (plan: RunPlan, names: ReadonlyArray<string>, now: number): ReadonlyArray<string> => {
  const { problems, sheets } = comparedSheets(names)
  const prices = priceElsewhere([plan], sheets).map((each) => {
    const age = PriceSheet.isStale(each.sheet, now) ? `, ${ageOf(each.sheet)}` : ""
    return `${each.sheet.id} ${showElsewhere(each)}${age}`
  })
  return [...prices, ...problems]
}

/** Short, as it stands in a title. */
const ageOf = ({ checked }: PriceSheet.PriceSheet): string =>
  checked === undefined ? "undated prices" : `prices of ${checked}`
