/** Params checked against the method, with every issue put at its place in the text. */
import type { CallNode, Diagnostic } from "@dotrpc/lang"
import { Json, type Method, type Network, type ParamIssue, type ParamPath, scanIssues } from "@dotrpc/spec"
import { type EvaluatedValue, secretDoesNotFit } from "../Evaluate.ts"
import { problem, replacement } from "../Problem.ts"
import type { Settings } from "../Settings.ts"
import { keyAt, nodeAt } from "./locate.ts"

/** Issues under a place that is still pending say nothing yet and are left out; those of a secret do not quote it. */
export const paramDiagnostics = (
  call: CallNode,
  method: Method,
  evaluated: EvaluatedValue,
  issues: ReadonlyArray<ParamIssue>,
): ReadonlyArray<Diagnostic> =>
  issues
    .filter((issue) => !evaluated.pending.some((hole) => touches(hole, issue.path)))
    .map((issue) =>
      evaluated.secret.some((place) => touches(place, issue.path))
        ? { path: issue.path, message: secretDoesNotFit }
        : issue,
    )
    .map((issue) => toDiagnostic(call, method, issue))

/** What may be a mistake in params that are sent all the same, as far as they are written here. */
export const paramWarnings = (
  call: CallNode,
  method: Method,
  evaluated: EvaluatedValue,
  network: Network,
): ReadonlyArray<Diagnostic> =>
  (method.warnings?.(evaluated.value, network) ?? [])
    .filter(({ path }) => ![...evaluated.pending, ...evaluated.secret].some((place) => touches(place, path)))
    .map((issue) => ({
      ...toDiagnostic(call, method, issue),
      code: issue.isUnknownMember === true ? "A315" : "A311",
      severity: "warning",
    }))

/** What is wrong with the params. With `# @all` a range may be longer than one call covers. */
export const issuesOf = (
  method: Method,
  params: Json.Json,
  network: Network,
  settings: Settings,
): ReadonlyArray<ParamIssue> => (settings.all ? scanIssues(method, params, network) : method.issues(params, network))

const toDiagnostic = (call: CallNode, method: Method, issue: ParamIssue): Diagnostic => {
  const [position] = issue.path
  const label = typeof position === "number" ? method.positions[position] : undefined
  const message = label === undefined ? issue.message : `${label}: ${issue.message}`
  const { params } = call
  if (params === undefined) return problem("A105", call.method, message)
  const key = keyAt(params, issue.path)
  const node = nodeAt(params, issue.path)
  if (issue.renameTo !== undefined && key !== undefined) {
    return problem(
      "A105",
      key,
      message,
      replacement(`Rename to "${issue.renameTo}"`, key, JSON.stringify(issue.renameTo)),
    )
  }
  if (issue.replaceWith !== undefined) {
    const text = Json.stringify(issue.replaceWith)
    return problem("A105", node, message, replacement(`Replace with ${text}`, node, text))
  }
  // A member that should not be there, or whose value is missing, is shown at its key.
  return problem("A105", key !== undefined && node.kind === "Object" ? key : node, message)
}

/** True when one path lies on the other: a missing value above makes what is below unknowable, and the reverse. */
const touches = (hole: ParamPath, path: ParamPath): boolean => {
  const length = Math.min(hole.length, path.length)
  return hole.slice(0, length).every((key, index) => key === path[index])
}
