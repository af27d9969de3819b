/** One JSON-RPC call, without anything of dotrpc but its lossless JSON. */
import { Json } from "@dotrpc/spec"

/** The answer to a call as the server at this address wrote it, every digit kept: a result or an error. */
export const askWhole = async (url: string, method: string, params: Json.Json): Promise<Json.JsonObject> => {
  const body = Json.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  const text = await reply.text()
  const answer = Json.parse(text)
  if (!Json.isObject(answer)) throw new Error(`${method} has no answer: HTTP ${reply.status} ${text.slice(0, 500)}`)
  return answer
}

/** The result of a call as the server at this address wrote it, every digit kept. */
export const ask = async (url: string, method: string, params: Json.Json): Promise<Json.Json> => {
  const answer = await askWhole(url, method, params)
  if (answer["result"] === undefined)
    throw new Error(`${method} ${Json.stringify(params)} has no result: ${Json.stringify(answer).slice(0, 500)}`)
  return answer["result"]
}
