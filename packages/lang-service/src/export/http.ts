/** A request of an `.http` file, for REST Client, JetBrains IDEs and httpYac. */
import { Json, wireName } from "@dotrpc/spec"
import { endpointOf } from "./endpoint.ts"
import type { ExportedCall } from "./ExportedCall.ts"
import type { LiteralKeys } from "./LiteralKeys.ts"
import { joined, namesIn, paramTemplate, type Template } from "./template.ts"

/** Why it cannot be written; `undefined` when it can. */
export const httpObstacle = ({ params }: ExportedCall): string | undefined =>
  paramTemplate(Json.stringify(params)).some((part) => typeof part === "string" && part.includes("{{"))
    ? "a text in its params contains {{, which starts a variable in an .http file"
    : undefined

/** Without its title; after comments that say what it needs. */
export const httpRequest = (call: ExportedCall, keys: LiteralKeys): string => {
  const { credentials, first, headers, url } = endpointOf(call, keys)
  const { method, network, params } = call
  const own: ReadonlyArray<Template> = [
    ["Content-Type: application/json"],
    // Clients encode a user name and password that are separated by a blank.
    ...(credentials === undefined
      ? []
      : [
          joined(
            ["Authorization: Basic "],
            credentials.map((part) => (part === ":" ? " " : part)),
          ),
        ]),
    ...headers.map(([name, value]) => joined([`${name}: `], value)),
  ]
  const called = { id: 1, method: wireName(method, network), params }
  const body = paramTemplate(Json.stringify(network.jsonrpc === "1.0" ? called : { jsonrpc: "2.0", ...called }, 2))
  const names = namesIn([url, ...own, body])
  return [
    ...(first === undefined ? [] : [`# ${first}`]),
    ...(names.length === 0 ? [] : [`# Define ${names.join(", ")} in your environment file first.`]),
    `POST ${filled(url)}`,
    ...own.map(filled),
    "",
    filled(body),
    "",
  ].join("\n")
}

/** Variables of an `.http` file have plain names. */
const filled = (template: Template): string =>
  template.map((part) => (typeof part === "string" ? part : `{{${part.name}}}`)).join("")
