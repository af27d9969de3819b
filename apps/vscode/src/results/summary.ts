/** The line beside a call: what came back, how long it took, what it cost. */
import { type CheckReport, isBroken, isGood, type RequestReport, showCharge, summarizeReport } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"

import { paidBefore, wholeCostOf } from "../run/wholeCost.ts"
import { actualWords } from "./actualWords.ts"
import type { KeptView } from "./ResultPayload.ts"
import type { RequestResult } from "./Results.ts"
import { excerpt } from "./text.ts"

const longestSummary = 100

/** `✓ 1,204 logs · 412 ms · 255 credits · 2 of 2 checks`, one line of at most 100 characters. */
export const summaryLine = (report: RequestReport): string => {
  const checks = (report.checks.length === 0 ? "" : ` · ${heldChecks(report)}`) + comparedWords(report)
  const words = excerpt(Visible.oneLine(summarizeReport(withWholeCost(report))), longestSummary - checks.length - 2)
  return `${isGoodReport(report) ? "✓" : "✗"} ${words}${checks}`
}

/** The same where the error stands beside it: `✗ refused · 12 ms · 255 credits`. */
export const outcomeLine = (report: RequestReport): string => {
  const { error: _beside, ...outcome } = report
  const parts = [summarizeReport(withWholeCost(outcome)), ...(report.checks.length === 0 ? [] : [heldChecks(report)])]
  return Visible.oneLine(`${isGoodReport(report) ? "✓" : "✗"} ${parts.join(" · ")}${comparedWords(report)}`)
}

/** The heading above a result: `✗ transfers · 1 of 2 checks · 255 credits`. Before the first one, the name alone. */
export const headingOf = (name: string, result: Pick<RequestResult, "kept" | "report">, stale: boolean): string => {
  const { kept, report } = result
  const label = Visible.oneLine(name)
  if (report === undefined && kept === undefined) return label
  const checks = report?.checks ?? kept?.payload.checks ?? []
  const charge =
    report === undefined ? (kept?.payload.charge ?? "") : showCharge(withWholeCost(report)) + comparedWords(report)
  return [
    `${isGoodResult(result) ? "✓" : "✗"} ${label}`,
    ...(checks.length === 0 ? [] : [heldChecks({ checks })]),
    ...(charge === "" ? [] : [charge]),
    ...(stale ? ["outdated: the request has changed"] : []),
  ].join(" · ")
}

/** Whether what came back last, in this window or an earlier one, is as expected. */
export const isGoodResult = ({ kept, report }: Pick<RequestResult, "kept" | "report">): boolean =>
  report === undefined ? kept?.payload.good === true : isGoodReport(report)

/** What a screen reader says of a result: `Failed: transfers, 1,204 logs, 412 ms, 255 credits, 1 of 2 checks. result.length > 2000, actual 1,204.` */
export const spokenWords = (report: RequestReport): string => {
  const { checks, request } = report
  const parts = [
    request.label,
    summarizeReport(withWholeCost(report)),
    ...(checks.length === 0 ? [] : [heldChecks(report)]),
  ]
  const words = excerpt(Visible.oneLine(parts.join(" · ") + comparedWords(report)), longestSpoken)
  const broken = brokenWords(report)
  return `${isGoodReport(report) ? "Passed" : "Failed"}: ${words.replaceAll(" · ", ", ")}.${broken === undefined ? "" : ` ${broken}.`}`
}

/** The same of a result of an earlier window. */
export const spokenWordsOfKept = ({ at, payload: { checks, good, label, summary } }: KeptView): string => {
  const broken = checks.find(({ ok, skipped }) => !ok && skipped !== true)
  const words = excerpt(`${label} · ${summary.replace(/^[✓✗] /, "")}`, longestSpoken).replaceAll(" · ", ", ")
  const why = broken?.problem ?? (broken?.actual === undefined ? "" : `actual ${broken.actual}`)
  const check = broken === undefined ? "" : ` ${[broken.text, ...(why === "" ? [] : [why])].join(", ")}.`
  return Visible.oneLine(`${good ? "Passed" : "Failed"}: ${words}.${check} ${savedWords(at)}.`)
}

/** `Saved result of 11/28/2026, 9:38:25 PM` */
export const savedWords = (at: number): string => `Saved result of ${new Date(at).toLocaleString()}`

/** The first check that failed, with its actual value: `result.length > 2000, actual 1,204`. */
export const brokenWords = ({ checks }: Pick<RequestReport, "checks">): string | undefined => {
  const check = checks.find(isBroken)
  if (check === undefined) return undefined
  const actual = actualWords(check)
  const why = check.problem ?? (actual === undefined ? "" : `actual ${actual}`)
  return excerpt(Visible.oneLine(why === "" ? check.text : `${check.text}, ${why}`), longestSpoken)
}

/** A report that was resumed has the credits of its own run alone. */
export const withWholeCost = (report: RequestReport): RequestReport =>
  paidBefore(report) === 0 ? report : { ...report, credits: wholeCostOf(report) }

const longestSpoken = 200

/** ` · equal on other`, ` · differs on other`. */
const comparedWords = ({ compare }: RequestReport): string => {
  if (compare === undefined) return ""
  const id = excerpt(Visible.oneLine(compare.network.id), longestName)
  return compare.equal === undefined
    ? ` · not compared with ${id}`
    : ` · ${compare.equal ? "equal" : "differs"} on ${id}`
}

const longestName = 24

/** `2 of 3 checks`, or `2 checks` when all of them held. */
const heldChecks = ({ checks }: { readonly checks: ReadonlyArray<Pick<CheckReport, "ok" | "skipped">> }): string => {
  const made = checks.filter((check) => check.skipped !== true)
  const held = made.filter((check) => check.ok).length
  const noun = made.length === 1 ? "check" : "checks"
  if (made.length === 0) return "not checked"
  return held === made.length ? `${held} ${noun}` : `${held} of ${made.length} ${noun}`
}

/** Whether the request succeeded, or failed as expected, and everything expected of it held. */
export const isGoodReport = (report: RequestReport): boolean => report.status !== "skipped" && isGood(report)

/** Beside the call, or beside the title or directive above it when the call is so long that words after it are out of sight. */
export const summaryPlace = (callLine: number, textAt: (line: number) => string): number => {
  const above = callLine === 0 ? "" : textAt(callLine - 1)
  return textAt(callLine).length > longestCall && isOfRequest.test(above) && above.length <= longestCall
    ? callLine - 1
    : callLine
}

/** Characters of a call that leave room for the words after it in an editor beside another view. */
const longestCall = 48

const isOfRequest = /^\s*#/
