/** The arguments of a log, for checks and for later requests. */
import type { Abi, Json, PluginFunction } from "@dotrpc/spec"
import { Schema } from "effect"
import { abiReader } from "../abi/AbiReader.ts"
import { decodeLog } from "../abi/decodeLog.ts"
import { Log } from "../schemas/Log.ts"

export const decodeFunction: PluginFunction = {
  name: "decode",
  signature: "decode(log, event?)",
  docs: [
    "A log with the name of its event and its arguments: `{ event, signature, args }`. The event is one that `# @abi`",
    "or the ABI files of the project declare, or the declaration that is given.",
    "",
    "```rpc",
    "# @abi event Transfer(address indexed from, address indexed to, uint256 value)",
    "?? decode(result[0]).args.value > 0",
    '?? decode(result[0], "Paused(address account)").args.account == owner',
    "```",
    "",
    "Integers are exact, addresses are in lower case, and an indexed text, array or tuple is its hash.",
  ].join("\n"),
  call: ([log, declaration], context) => {
    if (!isLog(log)) return { problem: "decode takes a log, such as decode(result[0])" }
    const abi = declaredBy(declaration, context?.abi)
    if ("problem" in abi) return abi
    const decoded = decodeLog(log, abi.abi)
    if (decoded !== undefined) return { value: { ...decoded } }
    if (abi.abi.length === 0) return { problem: `no event is known here: declare it with # @abi ${abiReader.example}` }
    return { problem: `the event of this log is not known here; its topic is ${log.topics[0] ?? "missing"}` }
  },
}

const isLog = Schema.is(Schema.Struct({ topics: Log.fields.topics, data: Log.fields.data }))

const declaredBy = (
  declaration: Json.Json | undefined,
  known: Abi | undefined,
): { readonly abi: Abi } | { readonly problem: string } => {
  if (declaration === undefined) return { abi: known ?? [] }
  if (typeof declaration !== "string")
    return { problem: `decode takes the declaration of an event as text, such as "${abiReader.example}"` }
  const read = abiReader.declaration(declaration)
  return "problem" in read ? { problem: `"${declaration}" is not an event: ${read.problem}` } : read
}
