/** What can be done with the runs that are kept. */
import * as vscode from "vscode"

import type { Commands } from "../HostPort.ts"
import type { Analyses } from "../project/Analyses.ts"
import { cameBack, renderOf } from "../results/cameBack.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import type { RequestResult, Results } from "../results/Results.ts"
import type { PaidPart } from "../run/wholeCost.ts"
import { runDocument } from "../results/runDocument.ts"
import type { Runs } from "../run/Runs.ts"
import type { HistoryStore } from "./HistoryStore.ts"
import type { HistoryView } from "./HistoryView.ts"
import { runIdOf } from "./recordRuns.ts"
import { type KeptRun, outcomeOf } from "./KeptRun.ts"
import type { Json } from "@dotrpc/spec"
import { agrees, pick } from "../Shown.ts"

export interface HistoryCommandParts {
  readonly analyses: Analyses
  readonly panes: { readonly show: (result: number) => Promise<void> }
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
  readonly store: HistoryStore
  readonly view: HistoryView
}

export const makeHistoryCommands = (parts: HistoryCommandParts): Commands => {
  const { panes, resultDocument, results, store, view } = parts
  const chosen = async (argument: unknown): Promise<KeptRun> => {
    const id = isRun(argument) ? argument.id : view.selection[0]?.id
    if (id === undefined) throw new Error("Select a run in the Runs view first.")
    return store.read(id)
  }
  return {
    "dotrpc.openRun": async (argument) => {
      const run = await chosen(argument)
      // Rows that its request shows elsewhere are shown as they are there.
      const isShown = ({ kept, report }: RequestResult): boolean =>
        report === undefined
          ? kept?.payload.table !== undefined && kept.runId === run.summary.id
          : renderOf(report) !== undefined && runIdOf(report) === run.summary.id
      const shown = results.all.find(isShown)
      if (shown !== undefined) return panes.show(shown.id)
      await resultDocument.show(run.summary.label, kept(outcomeOf(run)))
    },
    "dotrpc.compareRuns": async (argument) => {
      const two = await twoRuns(parts, argument)
      if (two === undefined) return
      const [newer, older] = two
      await resultDocument.compare(
        newer.summary.label,
        { result: comparedOf(older), title: timeOf(older) },
        { result: comparedOf(newer), title: timeOf(newer) },
      )
    },
    "dotrpc.runFromHistory": async (argument) => runOnceMore(parts, await chosen(argument)),
    "dotrpc.resumeRun": async (argument) => {
      const run = await chosen(argument)
      if (run.partial?.point === undefined)
        throw new Error(
          "This run cannot be resumed: it has finished, or had too many rows to keep. Run the request again.",
        )
      const { point, result } = run.partial
      const { credits, paidBefore = 0 } = run.summary
      await runOnceMore(parts, run, { point, result, paid: paidBefore + credits })
    },
    "dotrpc.removeRun": async (argument) => {
      const selected = view.selection.map(({ id }) => id)
      const asked = isRun(argument) ? argument.id : undefined
      await store.remove(asked === undefined || selected.includes(asked) ? selected : [asked])
    },
    "dotrpc.clearHistory": async () => {
      const remove = "Remove All Runs"
      const question = "Remove all runs kept for this workspace?"
      if (await agrees(question, remove)) await store.clear()
    },
  }
}

/** Two that are selected; else the one asked for and another to be picked, `undefined` where none is. The newer comes first. */
const twoRuns = async (
  { store, view }: HistoryCommandParts,
  argument: unknown,
): Promise<readonly [newer: KeptRun, older: KeptRun] | undefined> => {
  const ids = view.selection.length === 2 ? view.selection.map(({ id }) => id) : []
  if (ids.length < 2) {
    const runs = await store.runs()
    const first = isRun(argument) ? argument.id : (view.selection[0]?.id ?? runs[0]?.id)
    const others = runs.filter(({ id }) => id !== first)
    const choices = others.map(({ id, label, line, at }) => ({
      label,
      description: line,
      detail: new Date(at).toLocaleString(),
      value: id,
    }))
    if (first === undefined || choices.length === 0) throw new Error("Two runs are needed to compare them.")
    const picked = await pick(choices, { title: "Compare with which run?" })
    if (picked === undefined) return undefined
    ids.push(first, picked)
  }
  const [left, right] = await Promise.all(ids.map((id) => store.read(id)))
  if (left === undefined || right === undefined) throw new Error("Two runs are needed to compare them.")
  return left.summary.at >= right.summary.at ? [left, right] : [right, left]
}

/** The request is found by its name, else by its text. */
const runOnceMore = async (
  { analyses, results, runs }: HistoryCommandParts,
  { summary, text }: KeptRun,
  resume?: PaidPart,
): Promise<void> => {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(summary.uri))
  await vscode.window.showTextDocument(document, { preserveFocus: false })
  const { analysis } = await analyses.loaded(document)
  const isIt = analysis.requests.find(({ name }) => name !== undefined && name === summary.name)
  const content = document.getText()
  const found =
    isIt ?? analysis.requests.find(({ section }) => content.slice(section.start, section.end).trim() === text.trim())
  if (found === undefined) throw new Error(`"${summary.label}" is no longer in its file.`)
  await runDocument(runs, results, document, [found.index], { resume })
}

/** A result that is not what its method promises is compared as one that is. */
const comparedOf = (run: KeptRun): Json.Json => kept(cameBack(run) ?? outcomeOf(run))

const kept = (outcome: Json.Json | undefined): Json.Json => {
  if (outcome === undefined) throw new Error("The result was too long to keep: run the request again.")
  return outcome
}

const timeOf = ({ summary }: KeptRun): string => new Date(summary.at).toLocaleTimeString()

const isRun = (value: unknown): value is { readonly id: string } =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string"
