/** Requests of other files that the requests of a file need, numbered behind its own, so that one number names any of them. */
import type { SectionNode } from "@dotrpc/lang"
import type { Analysis, BoundRequest } from "../Analysis.ts"
import { importPath } from "../Imports.ts"

export interface Imported {
  /** The number of a request of another file; it and what it needs are taken in when they are not yet. */
  readonly numberOf: (request: BoundRequest, origin: Analysis) => number
  readonly requests: ReadonlyArray<BoundRequest>
}

/** `uri` is the address of the file that needs them, whose own requests end before the number `first`. */
export const gatherImported = (first: number, uri: string | undefined): Imported => {
  const numbers = new Map<SectionNode, number>()
  const requests: Array<BoundRequest> = []
  const numberOf = (request: BoundRequest, origin: Analysis): number => {
    const known = numbers.get(request.section)
    if (known !== undefined) return known
    const dependsOn = request.dependsOn.flatMap((index) => {
      const needed = origin.requests[index] ?? origin.imported[index - origin.requests.length]
      return needed === undefined ? [] : [numberOf(needed, needed.origin?.analysis ?? origin)]
    })
    const index = first + requests.length
    numbers.set(request.section, index)
    const path = origin.uri === undefined || uri === undefined ? "" : importPath(origin.uri, uri)
    requests.push({ ...request, index, dependsOn, origin: { analysis: origin, path } })
    return index
  }
  return { numberOf, requests }
}
