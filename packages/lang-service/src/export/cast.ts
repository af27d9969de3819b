/** A request as a command of Foundry's `cast`. */
import { Json, wireName } from "@dotrpc/spec"
import { endpointOf } from "./endpoint.ts"
import type { ExportedCall } from "./ExportedCall.ts"
import type { LiteralKeys } from "./LiteralKeys.ts"
import { needsOf, shellComment, shellWord, singleQuoted } from "./shell.ts"
import { joined, namesIn, paramTemplate, type Template } from "./template.ts"

/** Why it cannot be written; `undefined` when it can. */
export const castObstacle = ({ method, network, params }: ExportedCall): string | undefined => {
  if (method.plugin !== "evm") return "cast calls Ethereum networks only"
  if (!Json.isArray(params)) return "cast sends params as an array, and these are an object"
  return network.jsonrpc === "1.0" ? "cast sends JSON-RPC 2.0, and this network takes 1.0" : undefined
}

/** The command, after comments that say what it needs. */
export const castCommand = (call: ExportedCall, keys: LiteralKeys): string => {
  const { credentials, first, headers, url } = endpointOf(call, keys)
  const address = credentials === undefined ? url : withCredentials(url, credentials)
  const own = headers.map(([name, value]) => joined([`${name}: `], value))
  const params = paramTemplate(Json.stringify(call.params))
  return [
    ...(first === undefined ? needsOf(namesIn([address, ...own, params])) : [shellComment(first)]),
    `cast rpc --rpc-url ${shellWord(address)} \\`,
    ...own.map((header) => `  --rpc-headers ${shellWord(header)} \\`),
    `  --raw ${wireName(call.method, call.network)} ${singleQuoted(params)}`,
    "",
  ].join("\n")
}

/** A URL with credentials begins with its scheme. */
const withCredentials = ([start = "", ...rest]: Template, credentials: Template): Template => {
  if (typeof start !== "string") return [start, ...rest]
  const end = start.indexOf("://") + 3
  return joined([start.slice(0, end)], credentials, [`@${start.slice(end)}`], rest)
}
