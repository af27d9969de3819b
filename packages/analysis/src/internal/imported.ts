/**
 * Requests of other files that the requests of a file need, numbered after its own, so that one number names any of
 * them.
 */
import { type Analysis, type BoundRequest, requestAt } from "../Analysis.ts"
import { importPath } from "../Imports.ts"
import { leavesFirst } from "./leavesFirst.ts"
import { requestOf } from "./otherFile.ts"

export interface Imported {
  /** The number of a request of another file; it and what it needs are taken in when they are not yet. */
  readonly numberOf: (request: BoundRequest, origin: Analysis) => number
  readonly requests: ReadonlyArray<BoundRequest>
}

/** `uri` is the URI of the file that needs them, whose own requests end before the number `first`. */
export const gatherImported = (first: number, uri: string | undefined): Imported => {
  const numbers = new Map<BoundRequest, number>()
  const requests: Array<BoundRequest> = []
  const origins = new Map<BoundRequest, Analysis>()
  const paths = new Map<Analysis, string>()
  const needs = new Map<BoundRequest, ReadonlyArray<BoundRequest>>()
  const pathOf = (origin: Analysis): string => {
    const path = paths.get(origin) ?? (origin.uri === undefined || uri === undefined ? "" : importPath(origin.uri, uri))
    paths.set(origin, path)
    return path
  }
  const needsOf = (request: BoundRequest): ReadonlyArray<BoundRequest> => {
    const known = needs.get(request)
    if (known !== undefined) return known
    const origin = origins.get(request)
    const found = origin === undefined ? [] : request.dependsOn.flatMap((index) => ownRequestAt(origin, index, origins))
    needs.set(request, found)
    return found
  }
  const numberOf = (request: BoundRequest, origin: Analysis): number => {
    origins.set(request, origin)
    for (const needed of leavesFirst(request, { get: needsOf }, numbers)) {
      const index = first + requests.length
      numbers.set(needed, index)
      const analysis = origins.get(needed) ?? origin
      const dependsOn = needsOf(needed).flatMap((other) => numbers.get(other) ?? [])
      requests.push({ ...needed, index, dependsOn, origin: { analysis, path: pathOf(analysis) } })
    }
    return numbers.get(request) ?? first
  }
  return { numberOf, requests }
}

/** The request of an index of an analysis, as its own file has it: what it needs is numbered there. */
const ownRequestAt = (
  analysis: Analysis,
  index: number,
  origins: Map<BoundRequest, Analysis>,
): ReadonlyArray<BoundRequest> => {
  const found = requestAt(analysis, index)
  if (found === undefined) return []
  const origin = found.origin?.analysis ?? analysis
  const own = found.origin === undefined ? found : (requestOf(origin, found.section) ?? found)
  origins.set(own, origin)
  return [own]
}
