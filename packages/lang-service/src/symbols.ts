/** The outline of a document. */
import type { FileNode } from "@dotrpc/lang"
import type { LineIndex } from "@dotrpc/lang/locate"
import { rangeOf, type TextRange } from "./TextRange.ts"

/** An entry of the outline. */
export interface DocumentSymbol {
  readonly kind: "request" | "section" | "variable"
  readonly name: string
  /** The method of a request, the text of a variable's value. */
  readonly detail: string
  readonly range: TextRange
  readonly selection: TextRange
}

/** The outline of a file. */
export const symbols = (tree: FileNode, text: string, lines: LineIndex): ReadonlyArray<DocumentSymbol> => {
  const variables = [tree.prelude, ...tree.sections].flatMap((holder) => holder.variables)
  return [
    ...variables.map((variable): DocumentSymbol => ({
      kind: "variable",
      name: variable.name.text,
      detail:
        variable.value === undefined
          ? ""
          : text.slice(variable.value.start, variable.value.end).replace(/\s+/g, " ").slice(0, 60),
      range: rangeOf(lines, variable),
      selection: rangeOf(lines, variable.name),
    })),
    ...tree.sections.map((section): DocumentSymbol => {
      const name = section.directives.find((directive) => directive.name.text === "name")?.value.text
      return {
        kind: section.call === undefined ? "section" : "request",
        name: name || section.title.text || section.call?.method.text || "section",
        detail: section.call?.method.text ?? "",
        range: rangeOf(lines, section),
        selection: rangeOf(lines, section.header),
      }
    }),
  ].toSorted((left, right) => left.range.start.line - right.range.start.line)
}
