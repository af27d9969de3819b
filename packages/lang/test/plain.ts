/** Turns trees and results into plain data that can be compared as a whole. */
import type { FileNode, ParseResult, PreludeNode, SectionNode } from "../src/index.ts"

/** All that a result says: the tree with every section read, the tokens, the diagnostics. */
export function plainResult({ tree, diagnostics }: ParseResult): unknown {
  return { ...plainTree(tree), tokens: plainTokens(tree), diagnostics }
}

/** A prelude or section with its content, which it only reads when it is asked for. */
export function plainPart(part: PreludeNode | SectionNode): object {
  const { kind, start, end, directives, variables, call, checks } = part
  const header = part.kind === "Section" ? { header: part.header, title: part.title } : {}
  return { kind, start, end, ...header, directives, variables, call, checks }
}

function plainTree({ start, end, prelude, sections }: FileNode): object {
  return { start, end, prelude: plainPart(prelude), sections: sections.map(plainPart) }
}

function plainTokens({ tokens }: FileNode): ReadonlyArray<number> {
  return Array.from(tokens.data.subarray(0, tokens.length * 2))
}
