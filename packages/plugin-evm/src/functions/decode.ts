/** The arguments of a log, for checks and for later requests. */
import type { Abi, FunctionResult, Json, PluginFunction } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { abiReader } from "../abi/AbiReader.ts"
import { readDeclaration } from "../abi/declaration.ts"
import { decodeForPeople, type DecodedLog, decodeLog, plain } from "../abi/decodeLog.ts"
import { Log } from "../schemas/Log.ts"

export const decodeFunction: PluginFunction = {
  name: "decode",
  signature: "decode(log, event?)",
  docs: [
    "A log with the name of its event and its arguments: `{ event, signature, args }`. The event is one that `# @abi`",
    "or the ABI files of the project declare, else one so common that the table of results decodes it too, such as the",
    "`Transfer` of a token, or the declaration that is given.",
    "",
    "```rpc",
    "# @abi event Transfer(address indexed from, address indexed to, uint256 value)",
    "?? decode(result[0]).args.value > 0",
    '?? decode(result[0], "Paused(address account)").args.account == owner',
    "```",
    "",
    "Integers are exact, addresses are in lower case, and an indexed string, array or tuple is its hash.",
  ].join("\n"),
  call: ([log, declaration], context) => {
    if (!isLog(log)) return { problem: "decode takes a log, such as decode(result[0])" }
    if (declaration !== undefined) {
      const declared = declaredBy(declaration)
      if ("problem" in declared) return declared
      const decoded = decodeLog(log, declared.abi)
      return decoded === undefined ? notDecoded(log, "not the one that is given") : valueOf(decoded)
    }
    const found = decodeForPeople(log, context?.abi)
    if (found === undefined) return notDecoded(log, `not known here: declare it with # @abi ${abiReader.example}`)
    if ("args" in found) return valueOf(plain(found))
    return notDecoded(log, `declared as ${found.unfit.signature}, which its topics and data do not fit`)
  },
}

const valueOf = (decoded: DecodedLog): FunctionResult => ({ value: { ...decoded } })

const notDecoded = (log: { readonly topics: ReadonlyArray<string> }, why: string): FunctionResult => ({
  problem: `the event of this log is ${why}; its topic is ${log.topics[0] ?? "missing"}`,
})

const isLog = Schema.is(Schema.Struct({ topics: Log.fields.topics, data: Log.fields.data }))

const declaredBy = (declaration: Json.Json): { readonly abi: Abi } | { readonly problem: string } => {
  if (typeof declaration !== "string")
    return { problem: `decode takes the declaration of an event as text, such as "${abiReader.example}"` }
  const read = readDeclaration(declaration, "event")
  return "problem" in read ? { problem: `"${declaration}" is not an event: ${read.problem}` } : read
}
