/** Keeps every run that ends, as the settings allow. */
import * as vscode from "vscode"

import { summaryLine } from "../results/summary.ts"
import { oneLine } from "../results/text.ts"
import type { FinishedRequest, Runs } from "../run/Runs.ts"
import type { HistoryStore } from "./HistoryStore.ts"
import type { KeptRun } from "./KeptRun.ts"
import type { Retention } from "./retention.ts"
import { secretsOf, withoutSecrets } from "./withoutSecrets.ts"
import { Json, Redaction } from "@dotrpc/spec"

/** A result above this many characters is kept without its rows. */
const longestResult = 4_000_000

export const recordRuns = (runs: Runs, store: HistoryStore, log: vscode.LogOutputChannel): vscode.Disposable => {
  let count = 0
  return runs.onDidFinish((finished) => {
    const { isOn, retention } = settings()
    // What was left out or never sent is no run.
    if (!isOn || (finished.report.calls === 0 && finished.report.result === undefined)) return
    const at = Date.now()
    const run = keptRun(finished, `${at}-${++count}`, at)
    store.add(run, retention).catch((error: unknown) => log.error(`The run was not kept: ${String(error)}`))
  })
}

const settings = (): { readonly isOn: boolean; readonly retention: Retention } => {
  const history = vscode.workspace.getConfiguration("dotrpc.history")
  return {
    isOn: history.get("enabled", true),
    retention: { runs: history.get("maximumRuns", 200), days: history.get("maximumDays", 30) },
  }
}

const keptRun = ({ uri, text, report, project }: FinishedRequest, id: string, at: number): KeptRun => {
  const { request, result } = report
  const { name, label, method, network, call, section, workspace } = request
  const secrets = secretsOf(text, project.workspace)
  const clean = (words: string): string => Redaction.scrub(oneLine(words), secrets)
  const shown = result === undefined ? undefined : withoutSecrets(result, secrets)
  const { environment } = workspace
  return {
    summary: {
      id,
      at,
      uri: uri.toString(),
      label: clean(label),
      ...(name === undefined ? {} : { name: clean(name) }),
      method: method?.name ?? clean(call.method.text),
      ...(network === undefined ? {} : { network: network.id }),
      ...(environment === undefined ? {} : { environment }),
      line: clean(summaryLine(report)),
      credits: report.credits,
    },
    text: request.origin === undefined ? Redaction.scrub(text.slice(section.start, section.end), secrets) : "",
    ...(shown === undefined || Json.stringify(shown).length > longestResult ? {} : { result: shown }),
  }
}
