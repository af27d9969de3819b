/** What a result cost, with every run that was stopped on the way to it: a report has the credits of its own run alone. */
import type { RequestReport, Resumption } from "@dotrpc/runner"

/** The part of a result that is paid for, from which a request is resumed. */
export interface PaidPart extends Resumption {
  /** The credits of all runs that read it. */
  readonly paid: number
}

const before = new WeakMap<RequestReport, number>()

/** The report is of a run that was resumed, and goes together with what was paid until then. */
export const notePaidBefore = (report: RequestReport, paid: number): void => void before.set(report, paid)

export const paidBefore = (report: RequestReport): number => before.get(report) ?? 0

export const wholeCostOf = (report: RequestReport): number => paidBefore(report) + report.credits
