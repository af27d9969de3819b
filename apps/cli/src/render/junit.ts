/** A run as JUnit XML: a suite per file, a case per request and per check. */
import {
  type CheckReport,
  type ErrorReport,
  type FileReport,
  isBroken,
  labelOf,
  type RequestReport,
} from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { escapedJson } from "./border.ts"
import { visible } from "./visible.ts"

export const junitReport = (files: ReadonlyArray<FileReport>): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...files.map(suite), "</testsuites>", ""].join("\n")

const suite = (file: FileReport): string => {
  const { reports } = file
  const checks = reports.flatMap((report) => report.checks)
  const failures = checks.filter(isBroken).length
  const errors = reports.filter(({ expected, status }) => isError(status) && expected !== true).length
  const skipped =
    reports.filter((report) => report.status === "skipped").length + checks.filter((check) => check.skipped).length
  const seconds = reports.reduce((sum, report) => sum + report.ms, 0) / 1_000
  const counts = `tests="${reports.length + checks.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds.toFixed(3)}"`
  return [
    `  <testsuite name="${attribute(file.file)}" ${counts}>`,
    ...reports.flatMap((report) => [
      requestCase(file, report),
      ...report.checks.map((check) => checkCase(file, report, check)),
    ]),
    "  </testsuite>",
  ].join("\n")
}

const isError = (status: RequestReport["status"]): boolean =>
  status === "rpc-error" || status === "failed" || status === "refused"

const requestCase = (file: FileReport, report: RequestReport): string => {
  const open = `    <testcase classname="${attribute(file.file)}" name="${attribute(labelOf(report.request))}" time="${(report.ms / 1_000).toFixed(3)}"`
  const credits = `<properties><property name="credits" value="${report.credits}"/></properties>`
  if (report.error === undefined || report.expected === true) return `${open}>${credits}</testcase>`
  const message = attribute(report.error.message)
  if (report.status === "skipped") return `${open}><skipped message="${message}"/></testcase>`
  return `${open}>${credits}<error type="${attribute(report.error.reason)}" message="${message}">${errorWords(report.error)}</error></testcase>`
}

const errorWords = ({ advice = "", data }: ErrorReport): string =>
  data === undefined ? text(advice) : `${text(advice)}\ndata: ${text(escapedJson(Json.stringify(data)))}`

const checkCase = (file: FileReport, report: RequestReport, check: CheckReport): string => {
  const open = `    <testcase classname="${attribute(file.file)}" name="${attribute(`${labelOf(report.request)}: ${check.text}`)}" time="0"`
  if (check.ok) return `${open}/>`
  if (check.skipped === true) return `${open}><skipped message="not checked"/></testcase>`
  const actual =
    check.actual === undefined ? (check.problem ?? "") : `it is ${escapedJson(Json.stringify(check.actual))}`
  return `${open}><failure message="${attribute(check.text)}">${text(actual)}</failure></testcase>`
}

/** On one line, as a reader of attributes would make blanks of line breaks and tabs. */
const text = (value: string): string =>
  visible(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const attribute = (value: string): string => text(value).replaceAll('"', "&quot;")
