/** A request as a curl command that can be passed on. */
import { Wire } from "@dotrpc/spec"
import { endpointOf } from "./endpoint.ts"
import type { ExportedCall } from "./ExportedCall.ts"
import { doubleQuoted, needsOf, singleQuoted } from "./shell.ts"
import { namesIn } from "./template.ts"

/** The command, after comments that say what it needs. */
export const curlCommand = (call: Omit<ExportedCall, "label">): string => {
  const { credentials, first, headers, url } = endpointOf(call)
  const body = Wire.encodeRequest(call, 1)
  const own = headers.map(([name, value]) => `${name}: ${value}`)
  return [
    ...(first === undefined ? needsOf(namesIn([credentials ?? "", url, ...own, body])) : [`# ${first}`]),
    `curl -s ${doubleQuoted(url)} \\`,
    ...(credentials === undefined ? [] : [`  -u ${doubleQuoted(credentials)} \\`]),
    "  -H 'content-type: application/json' \\",
    ...own.map((header) => `  -H ${doubleQuoted(header)} \\`),
    `  --data ${singleQuoted(body)}`,
    "",
  ].join("\n")
}
