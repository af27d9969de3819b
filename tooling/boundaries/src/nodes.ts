/** The nodes of a file's syntax tree, of which these checks know little more than the type. */
import { parseSync } from "oxc-parser"
import type { SourceFile } from "./check.ts"

export interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Every node of a file, each before those inside it. */
export const nodesIn = ({ path, text }: SourceFile): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (!isNode(value)) return
    found.push(value)
    for (const child of Object.values(value)) walk(child)
  }
  walk(parseSync(path, text).program)
  return found
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string"

/** Where a node begins and ends. */
export const spanOf = (value: unknown): readonly [number, number] => (isNode(value) ? [value.start, value.end] : [0, 0])
