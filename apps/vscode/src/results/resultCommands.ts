/** What can be done with a result: open it in a pane or as JSON, clear it, copy, save, compare it, or repair what went wrong. */
import { makeSnapshots } from "@dotrpc/runner"
import * as vscode from "vscode"

import type { Commands } from "../commands/CommandTable.ts"
import { setSecret } from "../commands/setSecret.ts"
import { resolveTargets } from "../commands/Target.ts"
import type { Analyses } from "../language/Analyses.ts"
import { lookUpNames, type LookUpParts } from "../names/lookUpNames.ts"
import type { Panes } from "../pane/Panes.ts"
import type { Secrets } from "../project/Secrets.ts"
import { runDocument } from "../run/runDocument.ts"
import type { Runs } from "../run/Runs.ts"
import { resumptionOf } from "./cameBack.ts"
import { joinInTurns } from "./chunks.ts"
import { repairsFor } from "./repairs.ts"
import type { ResultDocument } from "./ResultDocument.ts"
import type { RequestResult, Results } from "./Results.ts"
import { nameOf, readSnapshots, snapshotOf, writeSnapshots } from "./snapshots.ts"
import { visiblePieces } from "./jsonPieces.ts"
import { resultOf, saveResult } from "./saveResult.ts"
import { inSlices, Visible } from "@dotrpc/spec"
import { showDone, showWorking } from "../Shown.ts"

export interface ResultCommandParts extends LookUpParts {
  readonly analyses: Analyses
  readonly panes: Panes
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
  readonly secrets: Secrets
}

export const makeResultCommands = (parts: ResultCommandParts): Commands => {
  const { analyses, panes, resultDocument, results } = parts
  const find = async (argument: unknown): Promise<Found> => {
    const { document, requests } = await resolveTargets(argument, analyses, results)
    const [request = 0] = requests
    const found = results.at({ uri: document.uri.toString(), request })
    if (found?.report === undefined) throw new Error("This request has no result yet: run it first.")
    const { id, previous, report, stale } = found
    return { id, document, previous, report, request, stale }
  }
  const findSnapshot = async (argument: unknown) => {
    const { document, report, request: index, stale } = await find(argument)
    const check = snapshotOf(report)
    const now = report.result
    if (check === undefined || now === undefined)
      throw new Error("There is no result to keep: write ?? snapshot below the call, and run it.")
    if (stale) throw new Error("The request has changed since it ran: run it again.")
    const { analysis } = await analyses.loaded(document)
    const request = analysis.requests[index] ?? report.request
    const kept = await readSnapshots(document.uri)
    const snapshots = makeSnapshots({ analysis, kept, file: nameOf(document.uri), update: true })
    return { check, document, now, report, request, snapshots }
  }
  return {
    "dotrpc.openResult": async (argument) => {
      const { report } = await find(argument)
      await resultDocument.show(report.request.label, resultOf(report))
    },
    "dotrpc.openRows": async (argument) => {
      await panes.show((await find(argument)).id)
    },
    "dotrpc.lookUpNames": async (argument) => {
      const { document, report } = await find(argument)
      await lookUpNames(parts, document.uri, report)
    },
    "dotrpc.openBeside": async (argument) => panes.showBeside((await find(argument)).id),
    "dotrpc.clearResults": async () => {
      results.clear()
      await panes.clear()
    },
    "dotrpc.copyResult": async (argument) => {
      const { report } = await find(argument)
      await vscode.env.clipboard.writeText(await joinInTurns(visiblePieces(resultOf(report))))
      showDone(`Copied the result of ${report.request.label}`)
    },
    "dotrpc.saveResult": async (argument) => {
      const { document, report } = await find(argument)
      await saveResult(report, document.uri)
    },
    "dotrpc.compareResult": async (argument) => {
      const { report, previous } = await find(argument)
      if (previous === undefined) throw new Error("There is no other run to compare with: run the request again.")
      await resultDocument.compare(
        Visible.oneLine(report.request.label),
        { result: resultOf(previous), title: "the previous run" },
        { result: resultOf(report), title: "the last run" },
      )
    },
    "dotrpc.compareNetworks": async (argument) => {
      const { report } = await find(argument)
      const { compare, request, result } = report
      if (compare?.result === undefined || result === undefined)
        throw new Error("There is no second result to compare: write # @compare NETWORK in the request, and run it.")
      await resultDocument.compare(
        request.label,
        { result, title: request.network?.id ?? "" },
        { result: compare.result, title: compare.network.id },
      )
    },
    "dotrpc.compareSnapshot": async (argument) => {
      const { check, now, report, request, snapshots } = await findSnapshot(argument)
      const compared = snapshots.texts(request, now, check)
      if (compared === undefined) throw new Error("The result is too long to be compared with a snapshot.")
      const { left, right } = compared
      const label = Visible.oneLine(report.request.label)
      const texts = [
        { text: Visible.json(left), title: "the snapshot" },
        { text: Visible.json(right), title: "the last run" },
      ] as const
      await resultDocument.compareTexts(label, ...texts)
    },
    "dotrpc.updateSnapshot": async (argument) => {
      const { check, document, now, report, request, snapshots } = await findSnapshot(argument)
      const outcome = await inSlices(snapshots.checking(request, now, check))
      if (outcome?._tag === "Refused") throw new Error(`Nothing was written: ${outcome.problem}.`)
      await writeSnapshots(document.uri, snapshots)
      showDone(`Kept the result of ${report.request.label} in ${nameOf(document.uri)}`)
    },
    "dotrpc.resume": async (argument) => {
      const { document, report, request, stale } = await find(argument)
      const resume = resumptionOf(report)
      if (resume === undefined) throw new Error("There is nothing to resume: run the request again.")
      if (stale) throw new Error("The request has changed since it was stopped: run it from the beginning.")
      await runDocument(parts.runs, results, document, [request], { resume })
    },
    "dotrpc.repair": async (argument) => repair(parts, await find(argument)),
  }
}

interface Found extends Pick<RequestResult, "id" | "previous" | "stale"> {
  readonly document: vscode.TextDocument
  /** Its position in the document. */
  readonly request: number
  readonly report: NonNullable<RequestResult["report"]>
}

const repair = async (
  { analyses, results, runs, secrets }: ResultCommandParts,
  { document, report }: Found,
): Promise<void> => {
  const [chosen] = repairsFor(await analyses.loaded(document), report)
  if (chosen?.kind === "secret") return setSecret(secrets, chosen.name)
  if (chosen === undefined) throw new Error("There is no automatic fix for this problem.")
  if (chosen.kind === "edit") {
    const { start, end, text } = chosen.edit
    const edit = new vscode.WorkspaceEdit()
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text)
    await vscode.workspace.applyEdit(edit)
    return
  }
  const title = `${report.request.label} runs again in a moment`
  const isDue = await showWorking(title, (_, token) => pause(chosen.millis, token))
  if (isDue) await runDocument(runs, results, document, [report.request.index])
}

/** Whether the time has passed, and nobody said stop. */
const pause = (millis: number, token: vscode.CancellationToken): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), millis)
    token.onCancellationRequested(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
