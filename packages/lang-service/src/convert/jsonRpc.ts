/** Reads the body of a JSON-RPC request as calls: digits, comments and `{{…}}` stay as they were written. */
import {
  type ObjectNode,
  parse,
  type Span,
  tokenEnd,
  tokenKind,
  type TokenList,
  tokenStart,
  tokenText,
  type ValueNode,
} from "@dotrpc/lang"
import * as TokenKind from "@dotrpc/lang/token-kinds"
import type { ConvertedCall } from "./Converted.ts"
import { namesIn, strangeIn, withNames } from "./names.ts"

/** A body is read as the params of a call, which is where the language has JSON. */
const before = "###\nread "

/** The calls of a body, one or a batch of them, or why it holds none. */
export const readJsonRpc = (body: string): ReadonlyArray<ConvertedCall> | { readonly problem: string } => {
  if (body.trim() === "") return { problem: "it has no body" }
  const source = before + body.trim()
  const { diagnostics, tree } = parse(source)
  const params = tree.sections[0]?.call?.params
  const error = diagnostics.find(({ severity }) => severity === "error")
  if (error !== undefined || params === undefined || tree.sections.length > 1)
    return { problem: `its body is not JSON: ${error?.message ?? "expected an object"}` }
  const requests = params.kind === "Array" ? params.items : [params]
  const calls: Array<ConvertedCall> = []
  let comments = commentsIn(tree.tokens)
  for (const request of requests) {
    const call = readCall(request, source)
    if ("problem" in call) return call
    // Those in the params stay where they are, and those behind the last call are its own.
    const end = request === requests.at(-1) ? Infinity : request.end
    const own = comments.filter(({ start }) => start < end)
    comments = comments.slice(own.length)
    const params = request.kind === "Object" ? memberOf(request, "params") : undefined
    calls.push({ ...call, comments: linesOutside(params, own) })
  }
  return calls.length === 0 ? { problem: "its body is an empty batch" } : calls
}

/** What the body of another tool's request calls, and the variables in the params; or why it cannot be converted. */
export const callsIn = (
  body: { readonly text: string } | { readonly problem: string },
):
  | { readonly calls: ReadonlyArray<ConvertedCall>; readonly mentioned: ReadonlyArray<string> }
  | { readonly problem: string } => {
  if ("problem" in body) return body
  const { strange, text } = withNames(body.text)
  const calls = readJsonRpc(text)
  if ("problem" in calls) return calls
  // What is strange matters in the params alone: an id, for one, is given by anyone who sends the call.
  const params = calls.map((call) => call.params).join()
  const unknown = strangeIn(params, strange)
  return unknown === undefined
    ? { calls, mentioned: namesIn(params) }
    : { problem: `{{${unknown}}} has no meaning here` }
}

const readCall = (request: ValueNode, source: string): ConvertedCall | { readonly problem: string } => {
  const method = request.kind === "Object" ? memberOf(request, "method") : undefined
  if (request.kind !== "Object" || method?.kind !== "String" || method.value === undefined)
    return { problem: 'its body is not JSON-RPC: expected an object with "method"' }
  if (!/^[A-Za-z_][\w.:/-]*$/.test(method.value))
    return { problem: `"${method.value}" cannot be the name of a method here` }
  const params = memberOf(request, "params")
  const version = memberOf(request, "jsonrpc")
  const named = {
    method: method.value,
    jsonrpc: version?.kind === "String" && version.value === "1.0" ? "1.0" : undefined,
  } as const
  if (params === undefined) return { ...named, params: "" }
  if (params.kind !== "Array" && params.kind !== "Object")
    return { problem: "its params are neither an array nor an object" }
  return { ...named, params: source.slice(params.start, params.end) }
}

interface BodyComment extends Span {
  readonly lines: ReadonlyArray<string>
}

const commentsIn = (tokens: TokenList): ReadonlyArray<BodyComment> => {
  const found: Array<BodyComment> = []
  for (let index = 0; index < tokens.length; index++) {
    const kind = tokenKind(tokens, index)
    if (kind !== TokenKind.Comment && kind !== TokenKind.BlockComment) continue
    const lines = tokenText(tokens, index)
      .replace(/^(?:\/\/|#|\/\*+)|\*+\/$/g, "")
      .split(/\r\n|\r|\n/)
      .map((line) => line.replace(/^\s*\*?\s?/, "").trimEnd())
    const said = lines.filter((line) => line !== "")
    found.push({ start: tokenStart(tokens, index), end: tokenEnd(tokens, index), lines: said })
  }
  return found
}

/** Params whose own comments are changed. */
export const withComments = (params: string, change: (comment: string) => string): string => {
  if (!/[/#]/.test(params)) return params
  const source = before + params
  const { tokens } = parse(source).tree
  let [text, at] = ["", before.length]
  for (const { end, start } of commentsIn(tokens)) {
    text += source.slice(at, start) + change(source.slice(start, end))
    at = end
  }
  return text + source.slice(at)
}

const linesOutside = (params: ValueNode | undefined, comments: ReadonlyArray<BodyComment>): ReadonlyArray<string> =>
  comments.flatMap(({ end, lines, start }) =>
    params !== undefined && start >= params.start && end <= params.end ? [] : lines,
  )

const memberOf = (object: ObjectNode, name: string): ValueNode | undefined =>
  object.properties.find(({ key }) => key.value === name)?.value
