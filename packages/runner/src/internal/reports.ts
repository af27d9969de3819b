/** Reports of requests that sent nothing, and errors as reports show them. */
import { type BoundRequest, wholePrice } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { type DecodedError, type Json, Redaction, type RpcError, RpcReason, type Steps } from "@dotrpc/spec"
import type { Redacted } from "effect"
import { internalErrorCode } from "../InternalError.ts"
import { notChecked } from "./checks.ts"
import type { LeftOut } from "../RunPlan.ts"
import type { ErrorReport, RequestReport } from "../RunEvent.ts"

const nothingSent = { calls: 0, credits: 0, ms: 0, checks: [] } as const

/** Why a request of a plan did not run: the run stopped, or one it needs failed. */
export type SkipCause = "bail" | "dependency"

export const skippedReport = (request: BoundRequest, cause: RequestReport, why: SkipCause): RequestReport => {
  const { label } = cause.request
  const message =
    why === "bail"
      ? `not run: --bail stopped after "${label}"`
      : `not run: it needs the result of "${label}", which ${cause.status === "refused" ? "was refused" : "failed"}`
  return {
    ...nothingSent,
    request,
    status: "skipped",
    error: { reason: cause.error?.reason ?? "Skipped", id: why, message, retryable: false },
  }
}

/** A request that a directive left out of the plan. */
export const leftOutReport = ({ request, message }: LeftOut): RequestReport => ({
  ...nothingSent,
  request,
  status: "skipped",
  error: { reason: "Skipped", id: "left-out", message, retryable: false },
})

/**
 * A request that the end of its run came before; `ran` is how long it ran and what it is known to have spent by then, of one
 * that had begun. That has failed, as a call that is stopped counts as one that got no reply in time.
 */
export const interruptedReport = (
  request: BoundRequest,
  ran: Pick<RequestReport, "credits" | "ms"> | undefined,
): RequestReport => ({
  ...nothingSent,
  request,
  status: ran === undefined ? "skipped" : "failed",
  calls: callsOf(ran),
  ...ran,
  checks: request.section.checks.map(notChecked),
  error: {
    reason: ran === undefined ? "Skipped" : "Timeout",
    id: "interrupted",
    message: ran === undefined ? "not run: the run was interrupted" : "interrupted before it finished",
    retryable: ran !== undefined,
  },
})

/** Of a request that had begun, nobody counts the calls any more. */
const callsOf = (ran: Pick<RequestReport, "credits"> | undefined): number =>
  ran !== undefined && ran.credits > 0 ? 1 : 0

/** As {@link interruptedReport}, where an internal error ended the run: it is the error of every request that did not finish. */
export const brokenOffReport = (
  request: BoundRequest,
  ran: Pick<RequestReport, "credits" | "ms"> | undefined,
  words: string,
): RequestReport => internalReport(request, words, { calls: callsOf(ran), credits: 0, ms: 0, ...ran })

/** A request in which something happened that cannot. What it has spent is spent, and a result that came is kept. */
export const internalReport = (
  request: BoundRequest,
  words: string,
  own: Pick<RequestReport, "calls" | "credits" | "ms" | "result"> & Partial<Pick<RequestReport, "checks">> = {
    calls: 0,
    credits: 0,
    ms: 0,
  },
): RequestReport => ({
  request,
  status: "failed",
  checks: request.section.checks.map(notChecked),
  ...own,
  error: {
    reason: "Internal",
    id: internalErrorCode,
    message: words,
    advice: "This is a bug in dotrpc or in a plugin. Report it with the request that caused it.",
    retryable: false,
  },
})

/** A request of a plan that is only looked at. */
export const plannedReport = (request: BoundRequest): RequestReport => ({
  ...nothingSent,
  request,
  status: "skipped",
  estimated: wholePrice(request) ?? { min: 0, max: 0, assumed: false },
  note: request.notCompared,
  error: { reason: "Skipped", id: "dry-run", message: "not run: --dry-run", retryable: false },
})

/** A request that its own budget would refuse. */
export const overBudgetReport = (request: BoundRequest): RequestReport => {
  const { price = { min: 0, max: 0, assumed: false }, settings } = request
  const reason = new RpcReason.BudgetRefused({
    limit: "# @budget",
    allowed: settings.budget ?? 0,
    spent: 0,
    needed: price.min,
    unit: price.unit,
  })
  return {
    ...nothingSent,
    request,
    status: "refused",
    error: {
      reason: reason._tag,
      id: reason.code,
      message: `${request.call.method.text}: ${reason.message}`,
      advice: reason.advice,
      retryable: false,
    },
  }
}

/** A request whose own text is wrong: the first problem is the error, at its place. */
export const unresolvedReport = (request: BoundRequest, diagnostics: ReadonlyArray<Diagnostic>): RequestReport => {
  const [first] = diagnostics
  const more = diagnostics.length > 1 ? ` (and ${diagnostics.length - 1} more)` : ""
  return {
    ...nothingSent,
    request,
    status: "failed",
    checks: request.section.checks.map(notChecked),
    error: {
      reason: "InvalidParams",
      id: first?.code ?? "unresolved",
      message: `${first?.message ?? "the request is not complete"}${more}`,
      advice: first?.fix?.title,
      retryable: false,
      span: first === undefined ? undefined : { start: first.start, end: first.end },
    },
  }
}

/** How an error ends a request. */
export const statusOf = (error: RpcError): "refused" | "failed" | "rpc-error" => {
  if (RpcReason.isOwnRefusal(error.reason)) return "refused"
  return RpcReason.serverCode(error.reason) === undefined || error.outcome === "malformed" ? "failed" : "rpc-error"
}

/** What is known about a request besides its error. */
interface ErrorContext {
  /** What the data of the error says. */
  readonly decode?: ((data: Json.Json) => DecodedError | undefined) | undefined
  /** Where to send a method that the network does not have. */
  readonly elsewhere?: (() => string | undefined) | undefined
}

/**
 * An error as plain data, without the secrets that went into the params; in steps, as what the server sent may be long.
 */
export function* errorReport(
  error: RpcError,
  secrets: Secrets,
  { decode = () => undefined, elsewhere }: ErrorContext = {},
): Steps<ErrorReport> {
  const code = RpcReason.serverCode(error.reason)
  const data = error.data === undefined ? undefined : yield* Redaction.scrubbingJson(error.data, secrets)
  const decoded = data === undefined ? undefined : decode(data)
  return {
    reason: error.reason._tag,
    id: error.code,
    message: Redaction.scrub(withDecoded(error.reason.message, decoded), secrets),
    advice: Redaction.scrub(adviceOn(error, elsewhere), secrets),
    retryable: error.retryable,
    code,
    data,
    decoded: decoded === undefined ? undefined : Redaction.scrubJson(decoded.value, secrets),
    ...remedy(error.reason),
    ...(yield* received(error.reason, secrets)),
  }
}

const adviceOn = ({ advice, reason }: RpcError, elsewhere: ErrorContext["elsewhere"]): string => {
  const other = reason._tag === "Unsupported" && reason.lacks === "method" ? elsewhere?.() : undefined
  return other === undefined ? advice : `This network does not have the method; ${other}.`
}

/** Most nodes say themselves why a contract reverted, when it gave its reason in words. */
const withDecoded = (message: string, decoded: DecodedError | undefined): string =>
  decoded === undefined || message.includes(decoded.text.replace(/^"|"$/g, ""))
    ? message
    : `${message}; reverted with ${decoded.text}`

function* received(reason: RpcReason.Reason, secrets: Secrets): Steps<Pick<ErrorReport, "received">> {
  return reason._tag === "Malformed" && reason.misfit !== undefined
    ? { received: yield* Redaction.scrubbingJson(reason.misfit.received, secrets) }
    : {}
}

type Secrets = ReadonlyArray<Redacted.Redacted<string>>

/** What a front end can offer to do about an error. */
const remedy = (reason: RpcReason.Reason): Pick<ErrorReport, "budgetNeeded" | "waitMillis"> => {
  if (reason._tag === "BudgetRefused" && reason.limit === "# @budget") {
    return { budgetNeeded: reason.enough ?? reason.spent + reason.needed }
  }
  const waitMillis = RpcReason.retryAfterMillis(reason)
  return waitMillis === undefined ? {} : { waitMillis }
}
