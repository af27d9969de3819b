/**
 * *Look Up Names*: the names of the accounts in a result, from the service of its network.
 *
 * Invariant: nothing is sent before the user has seen the price and agreed; nothing else looks up names.
 */
import { analyze, type BoundRequest, hostOf } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import {
  lookUpNames as ask,
  makePlan,
  type NamesQuestion,
  priceOfNames,
  type RequestReport,
  type RunPlan,
} from "@dotrpc/runner"
import { Json, labelOf, type NamesReader, type Network, nextTurn, Price, PriceSheet, Redaction } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../project/Recordings.ts"
import { RowSlices } from "./RowSlices.ts"
import { refusalOf } from "../run/refusal.ts"
import type { Runtimes } from "../run/Runtimes.ts"
import type { SecretHosts } from "../run/secretHosts.ts"
import { agrees, showInformation, showWorking } from "../Shown.ts"
import { endpointOf, type KeptNames } from "../names/KeptNames.ts"
import { namesReaderOf } from "../names/namesReaderOf.ts"

export interface LookUpParts {
  readonly names: KeptNames
  readonly projects: Projects
  readonly recordings: Recordings
  readonly runtimes: Runtimes
  readonly secretHosts: SecretHosts
}

/** Accounts of one look-up; more are left to the next one. */
const mostAccounts = 200

/** Looks up the names in the result of a request in this file; rejects with words for the user. */
export const lookUpNames = async (parts: LookUpParts, uri: vscode.Uri, report: RequestReport): Promise<void> => {
  const { network } = report.request
  const reader = namesReaderOf(report.request)
  if (network === undefined || reader === undefined)
    throw new Error("The network of this result has no service for names: dotrpc looks up names of ENS.")
  if (parts.recordings.current !== undefined)
    throw new Error("Names are not looked up while runs are recorded or replayed: stop that first.")
  const { accounts, more } = await accountsIn(report, reader, network, parts.names)
  if (accounts.length === 0)
    return showInformation("Every address in this result has a label, or was looked up in the last 24 hours.")
  const project = await parts.projects.loaded(uri)
  const { plan, request } = planOf(reader, accounts, network, project)
  const refusal = refusalOf(plan, project, vscode.workspace.isTrusted)
  if (refusal !== undefined) throw new Error(refusal)
  const question = { accounts, network: request.network, reader }
  if (!(await agreesTo(question, hostOf(request.bound), more))) return
  const agreed = await parts.secretHosts.agree(plan, project)
  if (!agreed(plan, project)) throw new Error("Nothing was sent: the configuration has changed. Try again.")
  await send(parts, project, question)
}

/** The accounts to ask about, in the order of the rows, and whether there are more. */
const accountsIn = async (
  report: RequestReport,
  reader: NamesReader,
  network: Network,
  names: KeptNames,
): Promise<{ readonly accounts: ReadonlyArray<string>; readonly more: boolean }> => {
  const slices = RowSlices.of(report)
  const accounts = new Set<string>()
  if (slices === undefined) return { accounts: [], more: false }
  for (let from = 0; ;) {
    const { rows } = slices.from(from)
    for (const cell of rows.flat()) {
      const account = reader.account(cell)
      if (account === undefined || labelOf(network, cell) !== undefined || names.knows(network, account)) continue
      if (accounts.size === mostAccounts && !accounts.has(account)) return { accounts: [...accounts], more: true }
      accounts.add(account)
    }
    from += rows.length
    if (rows.length === 0 || slices.isWhole) break
    await nextTurn()
  }
  return { accounts: [...accounts], more: false }
}

interface PlannedLookUp {
  readonly plan: RunPlan
  readonly request: { readonly bound: BoundRequest; readonly network: Network }
}

/** The first call as a plan of its own, so that the look-up needs the same agreement as every other request. */
const planOf = (
  reader: NamesReader,
  accounts: ReadonlyArray<string>,
  network: Network,
  { problems, workspace }: Project,
): PlannedLookUp => {
  const step = reader.lookUp(accounts.slice(0, 1))
  const [call] = "calls" in step ? step.calls : []
  if (call === undefined) throw new Error(`${reader.title} makes no call for these addresses.`)
  const text = `### Names\n# @network ${network.id}\n${call.method.name} ${Json.stringify(call.params)}\n`
  const plan = makePlan(analyze(parse(text), workspace))
  const [bound] = plan.requests
  const wrong = problems[0]?.message ?? bound?.errors[0]?.message
  if (wrong !== undefined) throw new Error(`Nothing was sent: ${wrong}`)
  if (bound?.network === undefined || endpointOf(bound.network) !== endpointOf(network))
    throw new Error("Nothing was sent: the network has changed since the request ran. Run it again.")
  return { plan, request: { bound, network: bound.network } }
}

const agreesTo = (question: NamesQuestion, host: string | undefined, more: boolean): Promise<boolean> => {
  const { accounts, network, reader } = question
  const count = accounts.length
  const which = `${more ? "the first " : ""}${count} ${count === 1 ? "address" : "addresses"}`
  const detail = [
    `${priceWords(question)}, without retries: ${reader.title} takes up to ${reader.rounds} calls for each address, which are sent together where that costs less.`,
    `Names are kept for 24 hours. A name that does not resolve to its address is not shown.`,
  ]
  const place = host === undefined ? network.id : `${network.id} @ ${host}`
  return agrees(`Look up the names of ${which} in ${reader.title} at ${place}?`, "Look Up", detail.join(" "))
}

const priceWords = (question: NamesQuestion): string => {
  const { max, ...price } = priceOfNames(question)
  const unit = question.network.prices?.unit
  return Price.show({ ...price, max, unit })
}

const send = async ({ names, runtimes }: LookUpParts, project: Project, question: NamesQuestion): Promise<void> => {
  const { accounts, network, reader } = question
  const runtime = await runtimes.of(project)
  const stopping = new AbortController()
  const found = await showWorking(`Looking up names in ${reader.title}`, async (_, token) => {
    token.onCancellationRequested(() => stopping.abort())
    try {
      return await runtime.runPromise(ask(question), { signal: stopping.signal })
    } catch (error) {
      if (stopping.signal.aborted) return undefined
      const words = error instanceof Error ? error.message : String(error)
      // oxlint-disable-next-line preserve-caught-error -- The cause may quote a key.
      throw new Error(`Names were not looked up: ${Redaction.scrub(words, network.secrets)}`)
    }
  })
  if (found === undefined) return
  names.take(network, found)
  const charge =
    network.prices === undefined
      ? Price.showCredits(found.credits)
      : PriceSheet.showUnits(network.prices, found.credits)
  const shown = Object.keys(names.message(network).names).filter((account) => accounts.includes(account)).length
  const hidden = found.names.size - shown
  const left = hidden === 0 ? "" : `; ${hidden} more ${hidden === 1 ? "is" : "are"} not shown, as they could mislead`
  showInformation(`${shown} of ${accounts.length} addresses have a name in ${reader.title}${left} · ${charge}`)
}
