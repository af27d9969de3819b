/**
 * Above each call: how to run it, and its price.
 *
 * Invariant: lenses are answered from memory, and every call has exactly one, so that no text moves: at once, or, after
 * a change that takes longer to analyse, once that is done, until when the editor keeps those before. In a file of many
 * requests those far from the lines in view have none. Until the configuration is read they show no price and no error,
 * as it may change both.
 */
import type { RangeScan } from "@dotrpc/core"
import { lenses } from "@dotrpc/lang-service"
import { likelyScan } from "@dotrpc/runner"
import { refusedWords } from "@dotrpc/session"
import type { KeptMap } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Projects } from "../project/Projects.ts"
import type { Recordings } from "../project/Recordings.ts"
import { reusedResults } from "../run/reusedResults.ts"
import type { RequestTarget, Results } from "../results/Results.ts"
import { wholeCostOf } from "../run/wholeCost.ts"
import { timeZone } from "../run/chosenTimeZone.ts"
import type { Runs } from "../run/Runs.ts"
import type { Analyses, DocumentAnalysis } from "../project/Analyses.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { LinesInView } from "./LinesInView.ts"
import { selector, toRange } from "../project/ranges.ts"
import { lensAt } from "../Shown.ts"

export interface LensParts {
  readonly analyses: Analyses
  readonly files: ImportedFiles
  readonly projects: Projects
  readonly recordings: Pick<Recordings, "current" | "isReplaying" | "onDidChange">
  readonly results: Results
  readonly runs: Runs
  readonly scans: KeptMap<RangeScan.Remembered>
}

export const provideLenses = ({
  analyses,
  files,
  projects,
  recordings,
  results,
  runs,
  scans,
}: LensParts): vscode.Disposable => {
  const changed = new vscode.EventEmitter<void>()
  const inView = new LinesInView()
  const provideCodeLenses = (document: vscode.TextDocument): vscode.ProviderResult<Array<vscode.CodeLens>> => {
    if (withoutLenses.has(document.uri.scheme)) return []
    if (document.getText().trim() === "") return [emptyFile]
    const refused = analyses.refused(document)
    if (refused !== undefined) return [refusal(refused)]
    const known = analyses.current(document)
    return known === undefined
      ? analyses.loaded(document).then((loaded) => lensesOf(document, loaded))
      : lensesOf(document, known)
  }
  const lensesOf = (document: vscode.TextDocument, { analysis, lines }: DocumentAnalysis): Array<vscode.CodeLens> => {
    const isKnown = projects.isKnown(document.uri)
    const isNear = inView.cover(document, analysis.requests.length)
    const { current, isReplaying } = recordings
    const uri = document.uri.toString()
    const shown = lenses(analysis, lines, {
      isNear,
      isReplaying,
      // A recording has all that a run needs.
      reused:
        current === undefined
          ? reusedResults(analysis, ({ index }) => results.reportAt({ uri, request: index }), timeZone())
          : undefined,
      hasResult: ({ index }) => results.at({ uri, request: index })?.report !== undefined,
      likelyOf: (request) => (isReplaying ? undefined : likelyScan(analysis, request, scans.get, Date.now())),
      lastOf: ({ index }) => {
        const report = results.at({ uri, request: index })?.report
        return report === undefined ? undefined : wholeCostOf(report)
      },
    })
    return shown.map(({ range, request, title, tooltip }) => {
      const target: RequestTarget = { uri, request }
      const result = results.at(target)
      const words = isKnown ? { title, tooltip } : unread
      const command =
        result?.activity === undefined ? { ...words, command: "dotrpc.run" } : result.isStarting ? starting : cancel
      return lensAt(toRange(range), { ...command, arguments: [target] })
    })
  }
  let waiting: ReturnType<typeof setTimeout> | undefined
  /** Of a run of many, requests end faster than anybody reads. */
  const soon = () => {
    waiting ??= setTimeout(() => {
      waiting = undefined
      changed.fire()
    }, pauseMillis)
  }
  return vscode.Disposable.from(
    changed,
    inView,
    inView.onDidLeave(soon),
    projects.onDidChange(() => changed.fire()),
    recordings.onDidChange(() => changed.fire()),
    files.onDidChange(() => changed.fire()),
    runs.onDidChange(soon),
    // Those that are used instead of being paid for again.
    results.onDidChange(soon),
    results.onDidStart(() => changed.fire()),
    new vscode.Disposable(() => clearTimeout(waiting)),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses,
    }),
  )
}

const pauseMillis = 100

const starting: Omit<vscode.Command, "arguments"> = {
  title: "Running…",
  command: "",
  tooltip: "What the run needs is being loaded.",
}

const cancel: Omit<vscode.Command, "arguments"> = {
  title: "Running · Cancel",
  command: "dotrpc.cancel",
  tooltip: "Stop it; unused credits are returned",
}

const unread = { title: "Run", tooltip: "The price is known once the configuration is read." }

/** There is nothing to move in a file without text. */
const emptyFile = lensAt(new vscode.Range(0, 0, 0, 0), {
  title: "Begin with a request",
  command: "dotrpc.insertRequest",
  tooltip: "Inserts a request for the built-in gateway",
})

/** It says something, and does nothing. */
const refusal = (reason: string): vscode.CodeLens =>
  lensAt(new vscode.Range(0, 0, 0, 0), {
    title: refusedWords(reason),
    command: "",
    tooltip: refusedWords(reason),
  })

/** A notebook runs its cells itself, and an old version of a file is there to be compared. */
const withoutLenses = new Set(["vscode-notebook-cell", "git"])
