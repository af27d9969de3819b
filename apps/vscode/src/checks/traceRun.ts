/** Writes what a run does, step by step, into the output of a test run: what there is to debug of a request. */
import type { BoundRequest } from "@dotrpc/analysis"
import { type RunEvent, summarizeReport } from "@dotrpc/runner"
import { Price, Visible } from "@dotrpc/spec"
import type * as vscode from "vscode"

import { progressWords } from "../run/progressWords.ts"
import type { RunView } from "../run/RunSink.ts"

export const traceRun = (run: Pick<vscode.TestRun, "appendOutput">): RunView => {
  const say = (line: string) => run.appendOutput(`${line.startsWith(indent) ? indent : ""}${Visible.oneLine(line)}\r\n`)
  return {
    receive: (event) => lines(event).forEach(say),
    abandon: () => say("stopped before it ended"),
    end: () => say(""),
  }
}

const indent = "  "

const lines = (event: RunEvent): ReadonlyArray<string> => {
  switch (event._tag) {
    case "RunStarted":
      return [`plan: ${Price.show(event.estimate)}`, ...event.requests.map(planned)]
    case "RequestStarted":
      return [`${event.request.label}: started`]
    case "RequestProgress":
      return [`${event.request.label}: attempt ${event.attempt} · ${progressWords(event)}`]
    case "RequestFinished": {
      const { report } = event
      const checks = report.checks.map(({ ok, skipped, text }) => `  ${ok ? "✓" : skipped ? "–" : "✗"} ${text}`)
      const advice = report.error?.advice === undefined ? [] : [`  → ${report.error.advice}`]
      return [`${report.request.label}: ${report.status} · ${summarizeReport(report)}`, ...advice, ...checks]
    }
    case "RunFinished":
      return [`spent: ${Price.showCredits(event.credits.spent, event.credits.estimated.unit)}`]
  }
}

const planned = (request: BoundRequest, position: number): string => {
  const { label, method, network, price, dependsOn, errors } = request
  const cost = price === undefined || errors.length > 0 ? "not sent" : Price.show(price)
  const needs = dependsOn.length === 0 ? "" : ` · after ${dependsOn.length} it needs`
  return `  ${position + 1}. ${label}: ${method?.name ?? "no method"} on ${network?.id ?? "no network"} · ${cost}${needs}`
}
