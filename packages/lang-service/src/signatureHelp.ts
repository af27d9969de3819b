/** Which argument of a function, or which position of the params, is being written. */
import { declaredAt, functionAt, signatureAt } from "@dotrpc/analysis"
import { offsetAt, type Position, sectionAt } from "@dotrpc/lang/locate"
import type { Method } from "@dotrpc/spec"
import type { AnalysedText } from "./AnalysedText.ts"
import type { Frame } from "./internal/frames.ts"
import { networkFor, priceOn } from "./internal/network.ts"
import { statementAt } from "./internal/place.ts"
import { expectationOf } from "./internal/schema.ts"

/** A function or method, and the parameter that the cursor is at. */
export interface Signature {
  /** `slot(variable, key…)`. */
  readonly label: string
  /** Markdown. */
  readonly documentation: string
  readonly parameters: ReadonlyArray<{
    /** The part of `label` from `start` up to `end`. */
    readonly start: number
    readonly end: number
    readonly documentation?: string | undefined
  }>
  /** Index of the parameter at the cursor; after the last one there is none. */
  readonly active: number | undefined
}

/** The innermost function call around the position, else the method whose positional params it is in. */
export const signatureHelp = (document: AnalysedText, position: Position): Signature | undefined => {
  const { analysis, lines } = document
  const offset = offsetAt(lines, position)
  const statement = statementAt(analysis.tree, offset)
  if (statement === undefined || statement.open.ended) return undefined
  const { frames } = statement.open
  const call = frames.findLast((frame): frame is CallFrame => frame.kind === "call")
  if (call !== undefined) return functionSignature(document, offset, call)
  const [outer] = frames
  if (statement.kind !== "call" || outer?.kind !== "array") return undefined
  const section = sectionAt(analysis.tree, offset)
  const method = analysis.requests.find((request) => request.section === section)?.method
  return method === undefined ? undefined : methodSignature(document, method, offset, outer.index)
}

const functionSignature = ({ analysis }: AnalysedText, offset: number, call: CallFrame): Signature | undefined => {
  const { index, name } = call
  const entry = functionAt(analysis, offset, name)
  if (entry === undefined) return undefined
  const signature =
    signatureAt(analysis, offset, name, firstArgument(analysis.tree.tokens.text, call)) ?? entry.signature
  const inside = /\(([^]*)\)/.exec(signature)
  const names = inside?.[1] === undefined || inside[1] === "" ? [] : inside[1].split(", ")
  let from = (inside?.index ?? 0) + 1
  const parameters = names.map((parameter) => {
    const start = from
    from += parameter.length + ", ".length
    return { start, end: start + parameter.length }
  })
  const repeats = names.at(-1)?.endsWith("…") === true
  const active = index < names.length ? index : repeats ? names.length - 1 : undefined
  return { label: signature, documentation: entry.docs, parameters, active }
}

/** The string that a call begins with, as far as it is written; one that is escaped names nothing. */
const firstArgument = (text: string, { nameAt }: CallFrame): string | undefined =>
  /^\w+\(\s*"([^"\\\n]*)"/.exec(text.slice(nameAt, nameAt + longestStart))?.[1]

/** Characters of a call that may come before the end of its first argument. */
const longestStart = 1_000

type CallFrame = Extract<Frame, { kind: "call" }>

const methodSignature = (
  { analysis }: AnalysedText,
  method: Method,
  offset: number,
  index: number,
): Signature | undefined => {
  if (method.positions.length === 0) return undefined
  let label = `${method.name} [`
  const parameters = method.positions.map((name, position) => {
    const start = label.length
    label += position === 0 ? name : `, ${name}`
    const declared = declaredAt(method.params, [position])
    const expected = declared === undefined ? undefined : expectationOf(declared)
    return {
      start: position === 0 ? start : start + ", ".length,
      end: label.length,
      documentation: expected,
    }
  })
  const network = networkFor(analysis, sectionAt(analysis.tree, offset), method)
  return {
    label: `${label}]`,
    documentation: `${method.summary} · ${priceOn(method, network)}`,
    parameters,
    active: index < parameters.length ? index : undefined,
  }
}
