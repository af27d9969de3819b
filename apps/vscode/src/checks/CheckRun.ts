/** Reports the outcome of the checks of one file to a test run. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { RequestReport, RunEvent, CheckReport } from "@dotrpc/runner"
import * as vscode from "vscode"
import type { RunView } from "../run/RunSink.ts"
import { testMessage } from "../Shown.ts"
import type { BinaryOperator, CheckNode } from "@dotrpc/lang"
import { Json, Visible } from "@dotrpc/spec"
import { actualWords } from "../results/actualWords.ts"
import { excerpt } from "../results/text.ts"

export class CheckRun implements RunView {
  readonly #run: vscode.TestRun
  /** The checks of each request, in their order. */
  readonly #items: ReadonlyMap<number, ReadonlyArray<vscode.TestItem>>

  constructor(run: vscode.TestRun, items: ReadonlyMap<number, ReadonlyArray<vscode.TestItem>>) {
    this.#run = run
    this.#items = items
  }

  receive(event: RunEvent): void {
    if (event._tag === "RequestStarted") this.#of(event.request).forEach((item) => this.#run.started(item))
    if (event._tag === "RequestFinished") this.#finish(event.report)
  }

  abandon(request: number): void {
    for (const item of this.#items.get(request) ?? []) this.#run.skipped(item)
  }

  end(): void {
    // Every request was finished or abandoned.
  }

  #of({ index, origin }: BoundRequest): ReadonlyArray<vscode.TestItem> {
    return origin === undefined ? (this.#items.get(index) ?? []) : []
  }

  #finish(report: RequestReport): void {
    this.#of(report.request).forEach((item, position) => {
      const check = report.checks[position]
      const written = report.request.section.checks[position]
      if (check?.ok === true) return this.#run.passed(item, report.ms)
      // An error that a check asks for and that did not come is reported with what was asked; other checks of it could not be made.
      if (check !== undefined && written !== undefined && check.skipped !== true) {
        return this.#run.failed(item, failureAt(item, brokenCheck(check, written.expr)), report.ms)
      }
      if (report.error?.id === "left-out" || report.expected === true) return this.#run.skipped(item)
      const { message = "the request has no result", advice } = report.error ?? {}
      this.#run.errored(item, messageAt(item, advice === undefined ? message : `${message}\n→ ${advice}`), report.ms)
    })
  }
}

const failureAt = (item: vscode.TestItem, { difference, message }: BrokenCheck): vscode.TestMessage => {
  return messageAt(item, message, difference)
}

const messageAt = (item: vscode.TestItem, text: string, difference?: BrokenCheck["difference"]): vscode.TestMessage => {
  const message = testMessage(text, difference)
  if (item.uri !== undefined && item.range !== undefined) message.location = new vscode.Location(item.uri, item.range)
  return message
}

export interface BrokenCheck {
  /** The editor shows its first line beside the check. */
  readonly message: string
  /** For the editor to compare, which helps only where both should be equal. */
  readonly difference?: { readonly expected: string; readonly actual: string } | undefined
}

export const brokenCheck = (report: CheckReport, expression: CheckNode["expr"]): BrokenCheck => {
  const { actual, expected, problem, text } = report
  if (problem !== undefined) return { message: Visible.line(problem) }
  const message = `${Visible.line(text)} failed`
  const operator = expression.kind === "Binary" ? expression.operator : undefined
  // A side that a secret went into is not told.
  if (operator === undefined || actual === undefined || expected === undefined) return { message }
  if (operator === "==") {
    return { message, difference: { expected: jsonOf(expected), actual: jsonOf(actual) } }
  }
  if (!comparisons.has(operator)) return { message }
  return { message: `expected ${operator} ${words(expected)}, actual ${actualWords(report) ?? ""}\n${message}` }
}

const jsonOf = (value: Json.Json): string => Visible.json(Json.stringify(value, 2))

const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["!=", "<", "<=", ">", ">="])

const longestWords = 100

const words = (value: Json.Json): string => excerpt(Visible.json(Json.stringify(value)), longestWords)
