/** Reads `.io` files: golden requests and responses, as the Ethereum execution APIs and `@dotrpc/plugin-kit` write them. */
import { Json } from "@dotrpc/spec"
import { withoutKeys } from "./keys.ts"
import type { Converted, ConvertedSection } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"

/** A request for each `>>`, with what its `<<` holds as checks. */
export const readIo = (text: string): Converted => {
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  let comments: Array<string> = []
  let network: { readonly network?: string | undefined } = {}
  text.split(/\r\n|\n|\r/).forEach((source, index) => {
    const line = index + 1
    const [, mark, rest = ""] = /^\s*(>>|<<|\/\/|#)\s?(.*)$/.exec(source) ?? []
    if (mark === ">>") {
      const calls = readJsonRpc(rest)
      if ("problem" in calls) {
        problems.push({
          line,
          message: `this request cannot be converted: ${calls.problem}; it is kept as a comment`,
        })
        sections.push({ title: comments[0] ?? "", comments: [...comments.slice(1), source.trim()], checks: [] })
      } else {
        for (const call of calls)
          sections.push({
            title: comments[0] ?? call.method,
            comments: comments.slice(1),
            ...network,
            call,
            checks: [],
          })
      }
      comments = []
      network = {}
    } else if (mark === "<<") {
      const last = sections.at(-1)
      const checks = checksOf(rest)
      if (last?.call === undefined) problems.push({ line, message: "a response without a request; it is left out" })
      else if (checks === undefined) problems.push({ line, message: "the response is not JSON; it is not checked" })
      else sections[sections.length - 1] = { ...last, checks }
    } else if (mark !== undefined) {
      const id = networkNote.exec(rest)?.[1]
      if (id === undefined) comments.push(rest.trim())
      else network = { network: id }
    } else if (source.trim() === "") {
      if (comments.length > 0 && sections.length === 0) sections.push({ title: "", comments, checks: [] })
      if (sections.length === 1 && sections[0]?.call === undefined) comments = []
    } else
      problems.push({ line, message: "expected a comment (//), a request (>>) or a response (<<); it is left out" })
  })
  return withoutKeys({ variables: [], sections, problems })
}

/** What follows `//` where a request is for one network. */
const networkNote = /^\s*network:\s*(\S+)\s*$/

/** Values that fit a line are compared; of what is longer the length. */
const checksOf = (response: string): ReadonlyArray<string> | undefined => {
  const parsed = jsonOf(response)
  if (!Json.isObject(parsed)) return undefined
  const { error, result } = parsed
  if (error !== undefined)
    return Json.isObject(error) && error["code"] !== undefined ? [`error.code == ${Json.stringify(error["code"])}`] : []
  return result === undefined ? [] : checksOn("result", result)
}

const checksOn = (path: string, value: Json.Json): ReadonlyArray<string> => {
  if (Json.isArray(value)) return [`${path}.length == ${value.length}`]
  if (!Json.isObject(value)) return isShort(value) ? [`${path} == ${Json.stringify(value)}`] : []
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
    return Json.isObject(member) ? [] : checksOn(inner, member)
  })
}

const isShort = (value: Json.Json): boolean => Json.stringify(value).length <= 100

const jsonOf = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch (error) {
    if (error instanceof Json.JsonSyntaxError) return undefined
    throw error
  }
}
