/** A request as a curl command that can be passed on. */
import { Wire } from "@dotrpc/spec"
import { endpointOf, namesOf } from "./endpoint.ts"
import type { ExportedCall } from "./ExportedCall.ts"
import { LiteralKeys, mentionedNames } from "./LiteralKeys.ts"
import { needsOf, shellComment, shellWord, singleQuoted } from "./shell.ts"
import { joined, namesIn, paramTemplate } from "./template.ts"

/** The command, after comments that say what it needs. `project` has the texts of the project: no key gets a name that they use. */
export const curlCommand = (call: Omit<ExportedCall, "label">, project: ReadonlyArray<string> = []): string =>
  curlWith(call, new LiteralKeys([...namesOf(call), ...mentionedNames(project)]))

/** As {@link curlCommand}, with the names of keys that other commands have as well. */
export const curlWith = (call: Omit<ExportedCall, "label">, keys: LiteralKeys): string => {
  const { credentials, first, headers, url } = endpointOf(call, keys)
  const body = paramTemplate(Wire.encodeRequest(call, 1))
  const own = headers.map(([name, value]) => joined([`${name}: `], value))
  return [
    ...(first === undefined ? needsOf(namesIn([credentials ?? [], url, ...own, body])) : [shellComment(first)]),
    `curl -s ${shellWord(url)} \\`,
    ...(credentials === undefined ? [] : [`  -u ${shellWord(credentials)} \\`]),
    "  -H 'content-type: application/json' \\",
    ...own.map((header) => `  -H ${shellWord(header)} \\`),
    `  --data ${singleQuoted(body)}`,
    "",
  ].join("\n")
}
