/** Keeps every run that ends, as the settings allow. */
import type { ErrorReport } from "@dotrpc/runner"
import { Redaction } from "@dotrpc/spec"
import type { Redacted } from "effect"
import * as vscode from "vscode"

import { summaryLine } from "../results/summary.ts"
import { oneLine } from "../results/text.ts"
import type { FinishedRequest, Runs } from "../run/Runs.ts"
import type { HistoryStore } from "./HistoryStore.ts"
import { type KeptError, type RunSummary, runText } from "./KeptRun.ts"
import type { Retention } from "./retention.ts"
import { secretsOf } from "./withoutSecrets.ts"
import type { Log } from "../Shown.ts"

export const recordRuns = (runs: Runs, store: HistoryStore, log: Log): vscode.Disposable => {
  let count = 0
  return runs.onDidFinish((finished) => {
    const { isOn, retention } = settings()
    // What was left out or never sent is not a run.
    if (!isOn || (finished.report.calls === 0 && finished.report.result === undefined)) return
    const { project, report, text } = finished
    const secrets = secretsOf(text, project.workspace)
    const at = Date.now()
    const summary = summaryOf(finished, secrets, { id: `${at}-${++count}`, at })
    const { error, result } = report
    const run = {
      summary,
      text: sectionOf(finished),
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error: keptError(error) }),
    }
    store
      .add(summary, runText(run, secrets), retention)
      .catch((error: unknown) => log.error(`The run was not kept: ${String(error)}`))
  })
}

const settings = (): { readonly isOn: boolean; readonly retention: Retention } => {
  const history = vscode.workspace.getConfiguration("dotrpc.history")
  return {
    isOn: history.get("enabled", true),
    retention: { runs: history.get("maximumRuns", 200), days: history.get("maximumDays", 30) },
  }
}

const summaryOf = (
  { uri, report }: FinishedRequest,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  run: Pick<RunSummary, "id" | "at">,
): RunSummary => {
  const { name, label, method, network, call, workspace } = report.request
  const clean = (words: string): string => oneLine(Redaction.scrub(words, secrets))
  const { environment } = workspace
  return {
    ...run,
    uri: uri.toString(),
    label: clean(label),
    ...(name === undefined ? {} : { name: clean(name) }),
    method: method?.name ?? clean(call.method.text),
    ...(network === undefined ? {} : { network: network.id }),
    ...(environment === undefined ? {} : { environment }),
    line: clean(summaryLine(report)),
    credits: report.credits,
  }
}

const keptError = ({ advice, code, data, message, reason, received }: ErrorReport): KeptError => ({
  reason,
  message,
  ...(code === undefined ? {} : { code }),
  ...(advice === undefined ? {} : { advice }),
  ...(received === undefined ? {} : { received }),
  ...(data === undefined ? {} : { data }),
})

/** The section that was run; a request of another file leaves its text there. */
const sectionOf = ({ text, report: { request } }: FinishedRequest): string =>
  request.origin === undefined ? text.slice(request.section.start, request.section.end) : ""
