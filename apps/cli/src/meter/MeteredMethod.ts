/** The methods of a network as a meter calls them: priced as everywhere, with the reply of the node as their result, unread. */
import { callable, type Workspace } from "@dotrpc/analysis"
import { Json, type Method, type Network, pluginsOf, type Price, uncheckedMethod, wireName } from "@dotrpc/spec"
import type { NodeReply } from "./Call.ts"
import { memberOf, membersOf } from "./jsonText.ts"

/** The method that a plugin knows by a name on a network. */
export const knownMethod = (plugins: Workspace["plugins"], network: Network, name: string): Method | undefined =>
  pluginsOf(network)
    .flatMap((id) => plugins.find((plugin) => plugin.id === id) ?? [])
    .flatMap(callable)
    .find((method) => method.composite === undefined && (wireName(method, network) === name || method.name === name))

/** The method of a name on a network; one that no plugin knows may not be repeated, and has an assumed price. */
export const meteredMethod = (plugins: Workspace["plugins"], network: Network, name: string): Method => {
  const { permanence, ...method } = knownMethod(plugins, network, name) ?? uncheckedMethod(network.plugin, name)
  return {
    ...method,
    resultIssue: (reply) => method.resultIssue(resultOf(reply)),
    ...(permanence === undefined ? {} : { permanence: (params, reply, of) => permanence(params, resultOf(reply), of) }),
  }
}

/** What is paid without a call: an event of a subscription, or what a batch costs on top of its calls. */
export const flatCharge = (network: Network, name: string, credits: number): { method: Method; network: Network } => {
  const price: Price.Price = { credits, assumed: false }
  // The price is the one that was worked out, in whatever unit the account counts.
  return {
    method: { ...uncheckedMethod(network.plugin, name), price },
    network: { ...network, prices: undefined, credits: undefined },
  }
}

const resultOf = (reply: Json.Json): Json.Json => {
  const text = isReply(reply) ? memberOf(reply.text, membersOf(reply.text), "result") : undefined
  try {
    return text === undefined ? null : Json.parse(text)
  } catch {
    return null
  }
}

/** A result of a metered method is nothing else. */
export const isReply = (value: Json.Json): value is NodeReply =>
  Json.isObject(value) && typeof value["text"] === "string"
