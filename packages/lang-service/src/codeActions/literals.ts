/** What can be done with a literal: pad it, give it a name, or keep it out of the file. */
import { type Analysis, findFunction } from "@dotrpc/analysis"
import type { CallNode, Span, SyntaxNode, ValueNode } from "@dotrpc/lang"
import { nodesAt } from "@dotrpc/lang/locate"
import type { ParamPath } from "@dotrpc/spec"
import { definitionsAt } from "../internal/names.ts"
import { paramPathOf } from "../internal/paramPath.ts"
import { fitsAt } from "../internal/schema.ts"
import { usedValues } from "../internal/usedValues.ts"
import type { Proposal } from "./CodeAction.ts"

/** The actions for the innermost value that holds the selection. */
export const literalActions = (analysis: Analysis, text: string, selected: Span): ReadonlyArray<Proposal> => {
  const nodes = nodesAt(analysis.tree, selected.start)
  const index = nodes.findLastIndex(
    (node) => isLiteral(node) && node.start <= selected.start && selected.end <= node.end,
  )
  const literal = nodes[index]
  if (literal === undefined || !isLiteral(literal)) return []
  const parent = nodes[index - 1]
  if (parent?.kind === "Property" && parent.key === literal) return []
  const inParams = paramPathOf(nodes.slice(0, index + 1))
  return [
    ...(inParams === undefined ? [] : padded(analysis, literal, inParams.call, inParams.path)),
    ...(inParams === undefined ? [] : mappingSlot(analysis, text, literal, inParams.call, inParams.path)),
    ...(inParams === undefined ? [] : extracted(analysis, text, literal, inParams.call, inParams.path)),
    ...asSecret(literal, nameFor(nodes, analysis, inParams)),
  ]
}

type Literal = Extract<ValueNode, { kind: "String" | "Number" | "Array" | "Object" }>

const isLiteral = (node: SyntaxNode): node is Literal =>
  node.kind === "String" || node.kind === "Number" || node.kind === "Array" || node.kind === "Object"

/** Storage positions and topics are 32 bytes, with zeros in front of what is shorter. */
const padded = (analysis: Analysis, literal: Literal, call: CallNode, path: ParamPath): ReadonlyArray<Proposal> => {
  const value = literal.kind === "String" ? literal.value : undefined
  if (value === undefined || !/^0x[\da-f]{1,63}$/i.test(value)) return []
  const method = methodOf(analysis, call)
  const whole = `0x${value.slice(2).padStart(64, "0")}`
  if (method === undefined || !fitsAt(method, path, whole)) return []
  // Where a tag fits, hex is the number of a block.
  if (fitsAt(method, path, "latest")) return []
  const isRepair = !fitsAt(method, path, value)
  return [
    {
      title: "Pad to 32 bytes",
      kind: isRepair ? "quickfix" : "refactor",
      ...(isRepair ? { code: "A105" } : {}),
      edits: [{ start: literal.start, end: literal.end, text: JSON.stringify(whole) }],
    },
  ]
}

/** The slot of one key in a mapping, whose own position is the literal. The key is an address of the file that is not the contract. */
const mappingSlot = (
  analysis: Analysis,
  text: string,
  literal: Literal,
  call: CallNode,
  path: ParamPath,
): ReadonlyArray<Proposal> => {
  const method = methodOf(analysis, call)
  const [position] = path
  const isSlot =
    typeof position === "number" && path.length === 1 && method?.positions[position]?.startsWith("storage") === true
  const value = literal.kind === "String" ? literal.value : undefined
  if (!isSlot || value === undefined || !/^0x[\da-f]{1,64}$/i.test(value)) return []
  if (findFunction(analysis.workspace, "slot", method?.plugin) === undefined) return []
  const isInCall = (word: string) => text.slice(call.start, call.end).includes(word)
  const key = usedValues(analysis.tree).find((used) => /^0x[\da-f]{40}$/i.test(used) && !isInCall(used))
  return [
    {
      title: "Wrap as the slot of a mapping",
      kind: "refactor",
      edits: [
        {
          start: literal.start,
          end: literal.end,
          text: `{{slot(${shortHex(value)}, "${key ?? `0x${"0".repeat(40)}`}")}}`,
        },
      ],
    },
  ]
}

const shortHex = (value: string): string => `0x${BigInt(value).toString(16)}`

/** The variable goes above the call, where the whole section sees it. The params as a whole are not one value. */
const extracted = (
  analysis: Analysis,
  text: string,
  literal: Literal,
  call: CallNode,
  path: ParamPath,
): ReadonlyArray<Proposal> => {
  if (path.length === 0) return []
  const name = freeName(analysis, call, variableName(analysis, call, path))
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"
  const written = text.slice(literal.start, literal.end)
  return [
    {
      title: `Extract into @${name}`,
      kind: "refactor",
      edits: [
        { start: call.start, end: call.start, text: `@${name} = ${written}${lineBreak}` },
        { start: literal.start, end: literal.end, text: `{{${name}}}` },
      ],
    },
  ]
}

/** Only text is a secret, and what is shorter is hardly one. */
const asSecret = (literal: Literal, name: string): ReadonlyArray<Proposal> => {
  const value = literal.kind === "String" ? literal.value : undefined
  if (value === undefined || value.length < 8) return []
  const secret = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase()
  return [
    {
      title: `Replace with {{$secret.${secret}}}, set outside the file`,
      kind: "refactor",
      edits: [{ start: literal.start, end: literal.end, text: `{{$secret.${secret}}}` }],
    },
  ]
}

const nameFor = (
  nodes: ReadonlyArray<SyntaxNode>,
  analysis: Analysis,
  inParams: { readonly call: CallNode; readonly path: ParamPath } | undefined,
): string => {
  if (inParams !== undefined) return variableName(analysis, inParams.call, inParams.path)
  const variable = nodes.findLast((node) => node.kind === "Variable")
  return variable?.kind === "Variable" && variable.name.text !== "" ? variable.name.text : "value"
}

/** The nearest key, else the label of the position: `transaction hash` becomes `transactionHash`. */
const variableName = (analysis: Analysis, call: CallNode, path: ParamPath): string => {
  const key = path.findLast((part) => typeof part === "string" && /^[A-Za-z_]\w*$/.test(part))
  if (typeof key === "string") return key
  const [position] = path
  const label = typeof position === "number" ? methodOf(analysis, call)?.positions[position] : undefined
  const words = (label ?? "value").split(/\W+/).filter((word) => word !== "")
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("")
}

const freeName = (analysis: Analysis, call: CallNode, wanted: string): string => {
  const taken = definitionsAt(analysis, call.start)
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}${number}`)) number++
  return `${wanted}${number}`
}

const methodOf = (analysis: Analysis, call: CallNode) =>
  analysis.requests.find((request) => request.call === call)?.method
