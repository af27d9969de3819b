/** Scripts in JavaScript and TypeScript as a tree, and what is known of their values without running them. */
import { tsPlugin } from "@sveltejs/acorn-typescript"
import { type Comment, Parser } from "acorn"

/** A node of the tree, whose members are read by their names: those of TypeScript have no types of their own. */
export interface ScriptNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** A script that was parsed. */
export interface Script {
  readonly program: ScriptNode
  readonly comments: ReadonlyArray<Comment>
}

/** Characters of a script. A larger one is a bundle, not a snippet. */
const longestScript = 1_000_000

/** Parses a script. Any text gives a tree or a problem with its line. */
export const parseScript = (text: string): Script | { readonly problem: string; readonly line: number } => {
  if (text.length > longestScript)
    return { problem: "it has more than 1,000,000 characters: move its calls to a file of their own", line: 1 }
  const comments: Array<Comment> = []
  try {
    const program = TypeScript.parse(text, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowHashBang: true,
      onComment: comments,
    })
    return { program, comments }
  } catch (error) {
    // A parser that descends by recursion runs out of stack on what is nested too deeply, and reports that in more than one way.
    return { problem: "it is not JavaScript or TypeScript, or it is nested too deeply", line: lineOfError(error) }
  }
}

const TypeScript = Parser.extend(tsPlugin())

const lineOfError = (error: unknown): number => {
  const place: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "loc") : undefined
  const line: unknown = typeof place === "object" && place !== null ? Reflect.get(place, "line") : undefined
  return typeof line === "number" ? line : 1
}

/** The line of a node, from 1. */
export const lineOfNode = (node: ScriptNode): number => {
  const place: unknown = Reflect.get(node, "loc")
  const start: unknown = typeof place === "object" && place !== null ? Reflect.get(place, "start") : undefined
  const line: unknown = typeof start === "object" && start !== null ? Reflect.get(start, "line") : undefined
  return typeof line === "number" ? line : 1
}

export const isNode = (value: unknown): value is ScriptNode =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  typeof value.type === "string" &&
  "start" in value &&
  "end" in value

/** A member that is a node. */
export const nodeIn = (node: ScriptNode, name: string): ScriptNode | undefined => {
  const value: unknown = Reflect.get(node, name)
  return isNode(value) ? value : undefined
}

/** A member that is a list of nodes; a hole of an array is `undefined`. */
export const nodesIn = (node: ScriptNode, name: string): ReadonlyArray<ScriptNode | undefined> => {
  const value: unknown = Reflect.get(node, name)
  return Array.isArray(value) ? value.map((item: unknown) => (isNode(item) ? item : undefined)) : []
}

/** A member that is neither a node nor a list. */
export const plainIn = (node: ScriptNode, name: string): unknown => Reflect.get(node, name)

/** The name of an identifier. */
export const nameOf = (node: ScriptNode | undefined): string | undefined => {
  const name = node?.type === "Identifier" ? plainIn(node, "name") : undefined
  return typeof name === "string" ? name : undefined
}

/** An expression without what only TypeScript reads, parentheses and `await`. */
export const bare = (node: ScriptNode): ScriptNode => {
  let inner = node
  for (;;) {
    const next = wrappers.has(inner.type) ? (nodeIn(inner, "expression") ?? nodeIn(inner, "argument")) : undefined
    if (next === undefined) return inner
    inner = next
  }
}

const wrappers: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "ParenthesizedExpression",
  "ChainExpression",
  "AwaitExpression",
])

/** The name of a member that is read from something: `a.name`, `a["name"]`. */
export const memberName = (node: ScriptNode): string | undefined => {
  if (node.type !== "MemberExpression") return undefined
  const property = nodeIn(node, "property")
  if (plainIn(node, "computed") !== true) return nameOf(property)
  const value = property?.type === "Literal" ? plainIn(property, "value") : undefined
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

/** A node with the statement that it is in. */
export interface PlacedNode {
  readonly node: ScriptNode
  readonly statement: ScriptNode
}

/** Every node in the order of the text. Trees may be deep, so this is not recursive. */
export const nodesOf = (program: ScriptNode): ReadonlyArray<PlacedNode> => {
  const found: Array<PlacedNode> = []
  const waiting: Array<PlacedNode> = [{ node: program, statement: program }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    const children = Object.values(next.node).flatMap((member: unknown) => (Array.isArray(member) ? member : [member]))
    for (const child of children.toReversed()) {
      if (!isNode(child)) continue
      const isStatement = /(?:Statement|Declaration)$/.test(child.type) && child.type !== "BlockStatement"
      // `export const a = …` begins with its first word.
      const starts = isStatement && !next.statement.type.startsWith("Export")
      waiting.push({ node: child, statement: starts ? child : next.statement })
    }
  }
  return found.toSorted((left, right) => left.node.start - right.node.start)
}
