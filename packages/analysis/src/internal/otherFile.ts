/** What is looked up in another file for each use of its names, and found once: every line of one file may use another. */
import { type Diagnostic, isSyntaxError, type SectionNode } from "@dotrpc/lang"
import { type LineIndex, lineIndex } from "@dotrpc/lang/locate"
import type { Analysis, BoundRequest } from "../Analysis.ts"

export const requestOf = (analysis: Analysis, section: SectionNode): BoundRequest | undefined =>
  bySection(analysis).get(section)

/** The request that `# @name` gives a name. */
export const requestNamed = (analysis: Analysis, name: string): BoundRequest | undefined => {
  const section = analysis.namedRequests.get(name)
  return section && requestOf(analysis, section)
}

const once = <Found>(find: (analysis: Analysis) => Found): ((analysis: Analysis) => Found) => {
  const kept = new WeakMap<Analysis, { readonly found: Found }>()
  return (analysis) => {
    const { found } = kept.get(analysis) ?? { found: find(analysis) }
    kept.set(analysis, { found })
    return found
  }
}

const bySection = once(
  ({ requests }): ReadonlyMap<SectionNode, BoundRequest> =>
    new Map(requests.map((request) => [request.section, request])),
)

export const linesOf = once(({ tree }): LineIndex => lineIndex(tree.tokens.text))

/** The syntax errors above its first section, where the variables are that it lends. */
export const preludeErrors = once(({ diagnostics, tree }): ReadonlyArray<Diagnostic> =>
  diagnostics.filter((entry) => entry.start <= tree.prelude.end && isSyntaxError(entry)),
)
