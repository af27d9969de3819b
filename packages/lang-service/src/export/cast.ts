/** A request as a command of Foundry's `cast`. */
import { Json, wireName } from "@dotrpc/spec"
import { endpointOf } from "./endpoint.ts"
import type { ExportedCall } from "./ExportedCall.ts"
import { doubleQuoted, needsOf, singleQuoted } from "./shell.ts"
import { namesIn } from "./template.ts"

/** Why it cannot be written; `undefined` when it can. */
export const castObstacle = ({ method, network, params }: ExportedCall): string | undefined => {
  if (method.plugin !== "evm") return "cast calls Ethereum networks only"
  if (!Json.isArray(params)) return "cast sends params as an array, and these are an object"
  return network.jsonrpc === "1.0" ? "cast sends JSON-RPC 2.0, and this network takes 1.0" : undefined
}

/** The command, after comments that say what it needs. */
export const castCommand = (call: ExportedCall): string => {
  const { credentials, first, headers, url } = endpointOf(call)
  const address = credentials === undefined ? url : url.replace("://", `://${credentials}@`)
  const own = headers.map(([name, value]) => `${name}: ${value}`)
  const params = Json.stringify(call.params)
  return [
    ...(first === undefined ? needsOf(namesIn([address, ...own, params])) : [`# ${first}`]),
    `cast rpc --rpc-url ${doubleQuoted(address)} \\`,
    ...own.map((header) => `  --rpc-headers ${doubleQuoted(header)} \\`),
    `  --raw ${wireName(call.method, call.network)} ${singleQuoted(params)}`,
    "",
  ].join("\n")
}
