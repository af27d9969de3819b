/** Texts for the argument of a function: what its plugin suggests, then what the file gives it elsewhere. */
import { suggestionsAt } from "@dotrpc/analysis"
import type { FileNode, Span, SyntaxNode } from "@dotrpc/lang"
import { childrenOf } from "@dotrpc/lang/locate"
import type { AnalysedText } from "../AnalysedText.ts"
import type { Argument } from "../internal/place.ts"
import type { Offer } from "./Completion.ts"

/** `quoted`: the cursor is in a string already, which is replaced as a whole. */
export const argumentOffers = (
  { analysis }: AnalysedText,
  argument: Argument,
  offset: number,
  replace: Span,
  quoted: boolean,
): ReadonlyArray<Offer> => {
  const suggested = suggestionsAt(analysis, offset, argument.function, argument.index)
  const used = usedArguments(analysis.tree, argument, replace)
    .filter((text) => !suggested.some((other) => other.text === text))
    .map((text) => ({ text, detail: "used in this file" }))
  return [...suggested, ...used].map(({ detail, text }): Offer => ({
    label: text,
    kind: "value",
    detail,
    ...(quoted ? { filter: JSON.stringify(text) } : {}),
    replace,
    insert: JSON.stringify(text),
  }))
}

/** Each once, those used most often first, without the one at the cursor. */
const usedArguments = (tree: FileNode, argument: Argument, without: Span): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "Function" && node.name.text === argument.function) {
      const given = node.args[argument.index]
      const text = given?.kind === "Literal" && given.type === "string" ? given.value : undefined
      const isOther = given !== undefined && (given.end <= without.start || given.start >= without.end)
      if (text !== undefined && text !== "" && isOther) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    childrenOf(node).forEach(visit)
  }
  visit(tree)
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([text]) => text)
}
