/** The line beside a call: what came back, how long it took, what it cost. */
import { type CheckReport, isBroken, isGood, type RequestReport, showCharge, summarizeReport } from "@dotrpc/runner"
import { Visible } from "@dotrpc/spec"

import { paidBefore, wholeCostOf } from "../run/wholeCost.ts"
import { actualWords } from "./actualWords.ts"
import { excerpt } from "./text.ts"

const longestSummary = 100

/** `✓ 1,204 logs · 412 ms · 255 credits · 2 of 2 checks`, one line of at most 100 characters. */
export const summaryLine = (report: RequestReport): string => {
  const checks = (report.checks.length === 0 ? "" : ` · ${heldChecks(report)}`) + comparedWords(report)
  const words = excerpt(Visible.oneLine(summarizeReport(withWholeCost(report))), longestSummary - checks.length - 2)
  return `${isGoodReport(report) ? "✓" : "✗"} ${words}${checks}`
}

/** The heading above a result: `✗ transfers · 1 of 2 checks · 255 credits`. Before the first report, the name alone. */
export const headingOf = (name: string, report: RequestReport | undefined, stale: boolean): string => {
  const label = Visible.oneLine(name)
  if (report === undefined) return label
  return [
    `${isGoodReport(report) ? "✓" : "✗"} ${label}`,
    ...(report.checks.length === 0 ? [] : [heldChecks(report)]),
    showCharge(withWholeCost(report)) + comparedWords(report),
    ...(stale ? ["outdated: the request has changed"] : []),
  ].join(" · ")
}

/** What a screen reader says of a result: `Failed: transfers, 1,204 logs, 412 ms, 255 credits, 1 of 2 checks. result.length > 2000, actual 1,204.` */
export const spokenWords = (report: RequestReport): string => {
  const { checks, request } = report
  const parts = [
    request.label,
    summarizeReport(withWholeCost(report)),
    ...(checks.length === 0 ? [] : [heldChecks(report)]),
  ]
  const words = excerpt(Visible.oneLine(parts.join(" · ") + comparedWords(report)), longestSpoken)
  const broken = checks.find(isBroken)
  return `${isGoodReport(report) ? "Passed" : "Failed"}: ${words.replaceAll(" · ", ", ")}.${broken === undefined ? "" : ` ${spokenCheck(broken)}.`}`
}

const spokenCheck = (check: CheckReport): string => {
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
const heldChecks = ({ checks }: RequestReport): string => {
  const made = checks.filter((check) => check.skipped !== true)
  const held = made.filter((check) => check.ok).length
  const noun = made.length === 1 ? "check" : "checks"
  if (made.length === 0) return "not checked"
  return held === made.length ? `${held} ${noun}` : `${held} of ${made.length} ${noun}`
}

/** Whether the request succeeded, or failed as expected, and everything expected of it held. */
export const isGoodReport = (report: RequestReport): boolean => report.status !== "skipped" && isGood(report)
