/** A method whose calls can go together, and a server that answers one call or several. */
import { Effect, Schema } from "effect"
import { type Json, type Multicall, type MulticallEntry, RpcReason } from "@dotrpc/spec"
import { type Answer, fail, methodOf } from "./scripted.ts"

/** Calls are `[key, block]`; several are `["many", block, key…]`, answered by `["many", entry…]`. */
const rule: Multicall = {
  groupOf: (params) => {
    const [key, block] = wordsOf(params)
    if (key === undefined || key.startsWith("apart")) return undefined
    const number = /^\d+$/.test(block ?? "") ? BigInt(block ?? 0) : undefined
    return {
      key: block ?? "latest",
      bytes: key.length,
      known: block !== "unknown",
      block: number ?? (block === "hash" ? "hash" : "tag"),
    }
  },
  join: (calls) => ["many", wordsOf(calls[0])[1] ?? "latest", ...calls.map((call) => wordsOf(call)[0] ?? "")],
  split: (result, count) => {
    const [first, ...entries] = wordsOf(result)
    return first === "many" && entries.length === count ? entries.map(entryOf) : undefined
  },
}

const wordsOf = (value: Json.Json | undefined): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const entryOf = (text: string): MulticallEntry => {
  if (text.startsWith("revert")) return { _tag: "Error", code: 3, message: "execution reverted", data: `0x${text}` }
  return text.startsWith("unclear") ? { _tag: "Alone" } : { _tag: "Result", result: text }
}

export const several = methodOf({
  params: Schema.Array(Schema.String),
  result: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  multicall: rule,
  classify: ({ message, rpcCode }) =>
    rpcCode === 3 ? new RpcReason.Rejected({ said: message, httpStatus: 200, rpcCode }) : undefined,
})

/** The keys that a request asks for. */
export const keysOf = (params: Json.Json): ReadonlyArray<string> => {
  const [key = "", , ...others] = wordsOf(params)
  return key === "many" ? others : [key]
}

export const isMany = (params: Json.Json): boolean => wordsOf(params)[0] === "many"

/** The answer to one key: a call of its own that reverts is an error. */
export const valueOf = (key: string): string => (key.startsWith("revert") ? key : `value of ${key}`)

/** Answers whatever is asked. */
export const answered: Answer = (request) =>
  Effect.suspend(() => {
    const keys = keysOf(request.params)
    if (isMany(request.params)) {
      request.onSend?.()
      return Effect.succeed({
        result: ["many", ...keys.map((key) => (key.startsWith("unclear") ? key : valueOf(key)))],
      })
    }
    const [key = ""] = keys
    const reverted = new RpcReason.Rejected({ said: "execution reverted", httpStatus: 200, rpcCode: 3 })
    if (key.startsWith("revert")) return fail(reverted, "rpc-error")(request)
    request.onSend?.()
    return Effect.succeed({ result: valueOf(key) })
  })
