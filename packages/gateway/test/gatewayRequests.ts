/** Short ways to ask a gateway in tests. */
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import type { Gateway } from "../src/index.ts"

/** 2026-01-01, noon. */
export const noon = Date.UTC(2026, 0, 1, 12)

export const bodyOf = (method: string, params: Json.Json = [], id: Json.Json = 1): string =>
  Json.stringify({ jsonrpc: "2.0", id, method, params })

export interface Ask {
  readonly network?: string
  readonly key?: string
  readonly now?: number
  readonly takeRoom?: (bytes: number) => boolean
}

/** Posts a body; to `evm` with the key `local` at noon unless something else is given. */
export const post = (gateway: Gateway.Gateway, body: string, ask: Ask = {}): Promise<Gateway.GatewayReply> =>
  Effect.runPromise(gateway.handle({ network: "evm", key: "local", now: noon, ...ask, body }))

/** The result or the error of one call. */
export const call = async (
  gateway: Gateway.Gateway,
  method: string,
  params: Json.Json,
  ask: Ask = {},
): Promise<Json.JsonObject> => {
  const reply = Json.parse((await post(gateway, bodyOf(method, params), ask)).body)
  if (!Json.isObject(reply)) throw new Error("expected one reply")
  const { result, error } = reply
  return { ...(result === undefined ? {} : { result }), ...(error === undefined ? {} : { error }) }
}
