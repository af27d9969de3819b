/** The nodes of a file's syntax tree, of which these checks know little more than the type. */
import { parseSync } from "oxc-parser"
import type { SourceFile } from "./check.ts"

export interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The whole of a file. */
export const programOf = ({ path, text }: SourceFile): Node => {
  const { program } = parseSync(path, text, path.endsWith(".d.ts") ? { lang: "dts" } : {})
  return { ...program }
}

/** Every node of a file, each before those inside it. */
export const nodesIn = (file: SourceFile): ReadonlyArray<Node> => nodesInside(programOf(file))

/** A node and every node inside it, each before those inside it. One that is left out is left out with all inside it. */
export const nodesInside = (node: Node, isLeftOut: (node: Node) => boolean = () => false): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (!isNode(value) || isLeftOut(value)) return
    found.push(value)
    for (const child of Object.values(value)) walk(child)
  }
  walk(node)
  return found
}

/** The nodes of a member that is a node, a list of them, or neither. */
export const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

/** Where a node begins and ends. */
export const spanOf = (value: unknown): readonly [number, number] => (isNode(value) ? [value.start, value.end] : [0, 0])
