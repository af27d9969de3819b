/** Keeps every run that ends, as the settings allow. */
import { inSlices, type Workspace } from "@dotrpc/analysis"
import type { ErrorReport, PartialResult, RequestReport } from "@dotrpc/runner"
import { Redaction, Visible } from "@dotrpc/spec"
import type { Redacted } from "effect"
import * as vscode from "vscode"

import { resumptionOf } from "../results/cameBack.ts"
import { brokenWords, summaryLine } from "../results/summary.ts"
import { paidBefore } from "../run/wholeCost.ts"
import type { FinishedRequest, Runs } from "../run/Runs.ts"
import type { HistoryStore } from "./HistoryStore.ts"
import { type KeptError, type KeptPartial, type RunSummary, runText } from "./KeptRun.ts"
import type { Retention } from "./retention.ts"
import { findingSecrets, secretsOf } from "./withoutSecrets.ts"
import type { Log } from "../Shown.ts"

export const recordRuns = (runs: Runs, store: HistoryStore, log: Log): vscode.Disposable => {
  let count = 0
  let known: TextSecrets | undefined
  /** Found once for the requests of a run, of which there may be thousands. */
  const secretsIn = (text: string, workspace: Workspace): TextSecrets["secrets"] => {
    if (known?.text === text && known.workspace === workspace) return known.secrets
    const found = inSlices(findingSecrets(text, workspace))
    const secrets = found.then((sliced) => sliced ?? secretsOf(text, workspace))
    known = { text, workspace, secrets }
    return secrets
  }
  const record = async (finished: FinishedRequest): Promise<void> => {
    const { isOn, retention } = settings()
    // What was left out or never sent is not a run.
    if (!isOn || (finished.report.calls === 0 && finished.report.result === undefined)) return
    const { project, report, text } = finished
    const at = Date.now()
    const id = `${at}-${++count}`
    ids.set(report, id)
    const secrets = await secretsIn(text, project.workspace)
    const summary = summaryOf(finished, secrets, { id, at })
    const { error, partial, result } = report
    const run = {
      summary,
      text: sectionOf(finished),
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error: keptError(error) }),
      ...(partial === undefined ? {} : { partial: keptPartial(partial) }),
    }
    await store.add(summary, runText(run, secrets), retention)
  }
  return runs.onDidFinish((finished) => {
    record(finished).catch((error: unknown) => log.error(`The run was not kept: ${String(error)}`))
  })
}

/** The id of the run that a report of this window is of; `undefined` where it is not kept. */
export const runIdOf = (report: RequestReport): string | undefined => ids.get(report)

const ids = new WeakMap<RequestReport, string>()

interface TextSecrets {
  readonly text: string
  readonly workspace: Workspace
  readonly secrets: Promise<ReadonlyArray<Redacted.Redacted<string>>>
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
  const clean = (words: string): string => Visible.oneLine(Redaction.scrub(words, secrets))
  const { environment } = workspace
  const broken = brokenWords(report)
  return {
    ...run,
    uri: uri.toString(),
    label: clean(label),
    ...(name === undefined ? {} : { name: clean(name) }),
    method: method?.name ?? clean(call.method.text),
    ...(network === undefined ? {} : { network: network.id }),
    ...(environment === undefined ? {} : { environment }),
    line: clean(summaryLine(report)),
    ...(broken === undefined ? {} : { broken: clean(broken) }),
    credits: report.credits,
    ...(paidBefore(report) === 0 ? {} : { paidBefore: paidBefore(report) }),
    ...(resumptionOf(report) === undefined ? {} : { resumable: true }),
  }
}

const keptPartial = ({ point, result }: PartialResult): KeptPartial => ({
  result,
  ...(point === undefined ? {} : { point }),
})

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
