/** What an exchange of a golden file means to a plugin: which method, asked on which network, with which answer. */
import {
  defineNetwork,
  Json,
  type Method,
  type Network,
  type Plugin,
  type RpcError,
  type RpcReply,
  type RpcRequest,
  Wire,
  wireName,
} from "@dotrpc/spec"
import type { Result } from "effect"
import { type Exchange, type Golden, noteOf } from "../Golden.ts"
import { expect, fail } from "./expect.ts"
import { isCredits } from "./pluginChecks.ts"

export interface Asked {
  readonly method: Method
  readonly network: Network
  readonly id: number
  readonly request: RpcRequest
}

/** The networks to look at a plugin on: those given, its own presets, and one that has every tag and all of history. */
export const networksFor = (plugin: Plugin, given: ReadonlyArray<Network>): ReadonlyArray<Network> => [
  ...given,
  // A network whose prices are wrong cannot be defined; a check of its own reports it.
  ...plugin.networks.filter(({ credits = {} }) => Object.values(credits).every(isCredits)).map(defineNetwork),
  defineNetwork({ id: plugin.id, plugin: plugin.id }),
]

/** The call that an exchange holds. Throws when it holds none of this plugin's. */
export const askedBy = (
  golden: Golden,
  exchange: Exchange,
  plugin: Plugin,
  networks: ReadonlyArray<Network>,
): Asked => {
  const { line, request } = exchange
  const named = noteOf(golden, exchange, "network")
  const network = named === undefined ? networks.at(-1) : networks.find((entry) => entry.id === named)
  if (network === undefined) return fail(`line ${line}: the network "${named}" is neither given nor a preset`)
  if (!Json.isObject(request)) return fail(`line ${line}: the request is not an object`)
  const { id, method: name, params } = request
  expect(typeof id === "number", `line ${line}: the request's id is not a number`)
  const method = plugin.methods.find((entry) => entry.name === name || wireName(entry, network) === name)
  if (method === undefined) return fail(`line ${line}: the plugin has no method ${Json.stringify(name ?? null)}`)
  return { method, network, id, request: { method, network, params: params ?? [] } }
}

/** The exchange's reply, read as the runtime reads it. */
export const replyOf = (exchange: Exchange, { id, request }: Asked): Result.Result<RpcReply, RpcError> =>
  Wire.decodeReply(request, id, {
    status: 200,
    headers: () => undefined,
    body: Json.stringify(exchange.reply),
    now: 0,
  })
