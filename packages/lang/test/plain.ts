/** Turns trees and results into plain data that can be compared as a whole. */
import type { FileNode, ParseResult, PreludeNode, SectionNode, StringNode } from "../src/index.ts"

/** All that a result says: the tree with every section read, the tokens, the diagnostics. */
export function plainResult({ tree, diagnostics }: ParseResult): unknown {
  return { ...plainTree(tree), tokens: plainTokens(tree), diagnostics }
}

/** A prelude or section with its content, which it only reads when it is asked for. */
export function plainPart(part: PreludeNode | SectionNode): object {
  const { kind, start, end, directives, variables, call, checks } = part
  const header = part.kind === "Section" ? { header: part.header, title: part.title } : {}
  const content = { directives, variables, call, checks }
  return { kind, start, end, ...header, content: plainNodes(content) }
}

/** Nodes member by member: a plain string only knows what it says when it is asked. */
function plainNodes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainNodes)
  if (typeof value !== "object" || value === null) return value
  const said = isString(value) ? { parts: value.parts, value: value.value } : {}
  return Object.fromEntries(Object.entries({ ...value, ...said }).map(([key, member]) => [key, plainNodes(member)]))
}

function isString(value: object): value is StringNode {
  return "kind" in value && value.kind === "String"
}

function plainTree({ start, end, prelude, sections }: FileNode): object {
  return { start, end, prelude: plainPart(prelude), sections: sections.map(plainPart) }
}

function plainTokens({ tokens }: FileNode): ReadonlyArray<number> {
  return Array.from(tokens.data.subarray(0, tokens.length * 2))
}
