/** What can be done with a result: open it in a pane or as JSON, clear it, copy, save, compare it, or repair what went wrong. */
import { makeSnapshots } from "@dotrpc/runner"
import * as vscode from "vscode"

import { permitFor } from "../credits/Permit.ts"
import type { Commands } from "../HostPort.ts"
import { setSecret } from "./secrets.ts"
import { isResultTarget, resolveTargets } from "./Target.ts"
import type { Analyses } from "../project/Analyses.ts"
import { exportPage } from "../results/exportPage.ts"
import { lookUpNames, type LookUpParts } from "../results/lookUpNames.ts"
import type { Notebooks } from "../notebook/Notebooks.ts"
import type { CellRunOptions } from "../notebook/runCells.ts"
import { cutEnd } from "../pane/KeptResult.ts"
import type { Panes } from "../pane/Panes.ts"
import type { Secrets } from "../project/Secrets.ts"
import { runDocument } from "../results/runDocument.ts"
import type { Runs } from "../run/Runs.ts"
import { resumptionOf } from "../results/cameBack.ts"
import { joinInTurns } from "../run/chunks.ts"
import { repairsFor } from "../results/repairs.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import type { RequestResult, Results } from "../results/Results.ts"
import { nameOf, readSnapshots, snapshotOf, writeSnapshots } from "../run/snapshots.ts"
import { visiblePieces } from "../results/jsonPieces.ts"
import { resultOf, saveResult, saveText } from "../results/saveResult.ts"
import { inSlices, Visible } from "@dotrpc/spec"
import { showDone, showWorking } from "../Shown.ts"

export interface ResultCommandParts extends LookUpParts {
  readonly analyses: Analyses
  readonly notebooks: Notebooks
  readonly panes: Panes
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
  readonly secrets: Secrets
}

export const makeResultCommands = (parts: ResultCommandParts): Commands => {
  const { analyses, panes, resultDocument, results } = parts
  const resultAt = async (argument: unknown): Promise<RequestResult | undefined> => {
    if (isResultTarget(argument)) return results.get(argument.result)
    const { document, requests } = await resolveTargets(argument, analyses, results)
    return results.at({ uri: document.uri.toString(), request: requests[0] ?? 0 })
  }
  const find = async (argument: unknown): Promise<Found> => {
    const found = await resultAt(argument)
    if (found?.report === undefined) throw new Error(found?.kept === undefined ? noResult : onlyKept)
    return { found, id: found.id, previous: found.previous, report: found.report, uri: found.uri }
  }
  return {
    "dotrpc.openResult": async (argument) => {
      const kept = await keptJson(await resultAt(argument))
      if (kept !== undefined) return resultDocument.showText(kept.label, kept.text)
      const { report } = await find(argument)
      await resultDocument.show(report.request.label, resultOf(report))
    },
    // The pane has results of earlier windows as well.
    "dotrpc.openRows": async (argument) => panes.show((await resultAt(argument))?.id ?? (await find(argument)).id),
    "dotrpc.lookUpNames": async (argument) => {
      const { report, uri } = await find(argument)
      await lookUpNames(parts, uri, report)
    },
    "dotrpc.pinResult": async (argument) =>
      panes.show((await resultAt(argument))?.id ?? (await find(argument)).id, true),
    "dotrpc.openBeside": async (argument) => panes.showBeside((await find(argument)).id),
    "dotrpc.clearResults": async () => {
      results.clear()
      await panes.clear()
    },
    "dotrpc.copyResult": async (argument) => {
      const kept = await keptJson(await resultAt(argument))
      const { label, text } = kept === undefined ? await jsonOf(await find(argument)) : whole(kept)
      await vscode.env.clipboard.writeText(text)
      showDone(`Copied the result of ${label}`)
    },
    "dotrpc.saveResult": async (argument) => {
      const kept = await keptJson(await resultAt(argument))
      if (kept !== undefined) return saveText(kept.label, whole(kept).text, kept.uri)
      const { report, uri } = await find(argument)
      await saveResult(report, uri)
    },
    "dotrpc.exportResult": async (argument) => {
      const { report, uri } = await find(argument)
      await exportPage(report, uri)
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
    ...makeSnapshotCommands(parts, find),
    ...makeUnchangedCommands(parts, find),
    "dotrpc.repair": async (argument) => {
      const { id, report } = await find(argument)
      const { document } = await resolveTargets({ result: id }, analyses, results)
      await repair(parts, document, report)
    },
  }
}

/** What runs a request again from what its last run left, as long as its text is the same. */
const makeUnchangedCommands = (
  { analyses, notebooks, results, runs }: ResultCommandParts,
  find: (argument: unknown) => Promise<Found>,
): Commands => {
  /** In its cell, where its file is open as a notebook. */
  const runUnchanged = async (found: RequestResult, options: CellRunOptions, changed: string): Promise<void> => {
    if (found.stale) throw new Error(changed)
    if (await notebooks.run(found, options)) return
    const { document, requests } = await resolveTargets({ result: found.id }, analyses, results)
    // It may have been changed elsewhere.
    if (found.stale) throw new Error(changed)
    await runDocument(runs, results, document, requests, options)
  }
  return {
    "dotrpc.resume": async (argument) => {
      const { found, report } = await find(argument)
      const resume = resumptionOf(report)
      if (resume === undefined) throw new Error("There is nothing to resume: run the request again.")
      const changed = "The request has changed since it was stopped: run it from the beginning."
      await runUnchanged(found, { resume: { label: report.request.label, ...resume } }, changed)
    },
    "dotrpc.allowOnce": async (argument) => {
      const { found, report } = await find(argument)
      const permit = permitFor(report)
      if (permit === undefined) throw new Error("No limit blocks this request.")
      await runUnchanged(found, { permit }, "The request has changed since it was refused: run it again.")
    },
  }
}

/** `?? snapshot` of a result: what differs from it, and how it is written again. */
const makeSnapshotCommands = (
  { analyses, resultDocument }: ResultCommandParts,
  find: (argument: unknown) => Promise<Found>,
): Commands => {
  const findSnapshot = async (argument: unknown) => {
    const { found, report, uri } = await find(argument)
    const check = snapshotOf(report)
    const now = report.result
    if (check === undefined || now === undefined)
      throw new Error("There is no result to keep: write ?? snapshot below the call, and run it.")
    if (found.stale) throw new Error("The request has changed since it ran: run it again.")
    const { analysis } = await analyses.loaded(await vscode.workspace.openTextDocument(uri))
    const request = found.request ?? report.request
    const kept = await readSnapshots(uri)
    const snapshots = makeSnapshots({ analysis, kept, file: nameOf(uri), update: true })
    return { check, now, report, request, snapshots, uri }
  }
  return {
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
      const { check, now, report, request, snapshots, uri } = await findSnapshot(argument)
      const outcome = await inSlices(snapshots.checking(request, now, check))
      if (outcome?._tag === "Refused") throw new Error(`Nothing was written: ${outcome.problem}.`)
      await writeSnapshots(uri, snapshots)
      showDone(`Kept the result of ${report.request.label} in ${nameOf(uri)}`)
    },
  }
}

/** A result as JSON text. */
interface ResultJson extends Pick<RequestResult, "uri"> {
  readonly label: string
  readonly text: string
}

const jsonOf = async ({ report, uri }: Found): Promise<ResultJson> => ({
  label: report.request.label,
  text: await joinInTurns(visiblePieces(resultOf(report))),
  uri,
})

/** What an earlier window kept of a result, unless another one came back in this window. */
const keptJson = async (result: RequestResult | undefined): Promise<ResultJson | undefined> => {
  const { kept, report, uri } = result ?? {}
  if (report !== undefined || kept?.json === undefined || uri === undefined) return undefined
  return { label: kept.payload.label, text: await joinInTurns(kept.json()), uri }
}

/** It is all there: what is copied or saved must not look like a whole result when it is the beginning of one. */
const whole = (kept: ResultJson): ResultJson => {
  if (kept.text.endsWith(cutEnd)) throw new Error(onlyKept)
  return kept
}

const noResult = "This request has no result yet: run it first."
const onlyKept = "Only a part of this result was kept from an earlier window: run the request again first."

interface Found extends Pick<RequestResult, "id" | "previous" | "uri"> {
  /** As it is by then. */
  readonly found: RequestResult
  readonly report: NonNullable<RequestResult["report"]>
}

const repair = async (
  { analyses, results, runs, secrets }: ResultCommandParts,
  document: vscode.TextDocument,
  report: Found["report"],
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
