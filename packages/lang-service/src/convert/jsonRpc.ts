/** Reads the body of a JSON-RPC request as calls: digits, comments and `{{…}}` stay as they were written. */
import { type ObjectNode, parse, type ValueNode } from "@dotrpc/lang"
import type { ConvertedCall } from "./Converted.ts"

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
  for (const request of requests) {
    const call = readCall(request, source)
    if ("problem" in call) return call
    calls.push(call)
  }
  return calls.length === 0 ? { problem: "its body is an empty batch" } : calls
}

const readCall = (request: ValueNode, source: string): ConvertedCall | { readonly problem: string } => {
  const method = request.kind === "Object" ? memberOf(request, "method") : undefined
  if (request.kind !== "Object" || method?.kind !== "String" || method.value === undefined)
    return { problem: 'its body is not JSON-RPC: expected an object with "method"' }
  if (!/^[A-Za-z_][\w.:/-]*$/.test(method.value))
    return { problem: `"${method.value}" cannot be the name of a method here` }
  const params = memberOf(request, "params")
  if (params === undefined) return { method: method.value, params: "" }
  if (params.kind !== "Array" && params.kind !== "Object")
    return { problem: "its params are neither an array nor an object" }
  return { method: method.value, params: source.slice(params.start, params.end) }
}

const memberOf = (object: ObjectNode, name: string): ValueNode | undefined =>
  object.properties.find(({ key }) => key.value === name)?.value
