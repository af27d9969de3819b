/** The topic of an event: the hash that the first topic of its logs carries. */
import { nearest, type PluginFunction } from "@dotrpc/spec"
import { Result } from "effect"
import * as AbiItem from "ox/AbiItem"
import type { Hash } from "../schemas/Hex.ts"

/**
 * The topic of an event: keccak-256 of its name and argument types.
 *
 * Takes `Transfer(address,address,uint256)` as well as a whole declaration with names and `indexed`. `uint` and `int`
 * mean their 256-bit types. Throws a `TypeError` that says what is wrong with the signature.
 *
 * @example
 * ```ts
 * event("event Transfer(address indexed from, address indexed to, uint256 value)")
 * // "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
 * ```
 */
export const event = (signature: string): Hash =>
  Result.getOrThrowWith(topicOf(signature), (problem) => new TypeError(problem))

export const eventFunction: PluginFunction = {
  name: "event",
  signature: "event(signature)",
  docs: [
    "The topic of an event: keccak-256 of its name and argument types.",
    "",
    "```rpc",
    '{{event("Transfer(address,address,uint256)")}}',
    '{{event("event Transfer(address indexed from, address indexed to, uint256 value)")}}',
    "```",
    "",
    "Both give the same 32 bytes: names, `indexed` and `anonymous` play no part. `uint` means `uint256`, and a struct is",
    "written as a tuple, `(uint256,address)[]`.",
  ].join("\n"),
  call: (args) => {
    const [signature] = args
    if (args.length !== 1 || typeof signature !== "string")
      return { problem: 'event takes one text, such as event("Transfer(address,address,uint256)")' }
    return Result.match(topicOf(signature), {
      onSuccess: (value) => ({ value }),
      onFailure: (problem) => ({ problem }),
    })
  },
}

const topicOf = (signature: string): Result.Result<Hash, string> => {
  const text = signature
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ ?;$/, "")
    .replace(/ anonymous$/, "")
    .replace(/^event /, "")
  const wrong = (why: string) => Result.fail(`"${text}" is not an event signature: ${why}`)
  if (!/^[A-Za-z_$][\w$]* ?\(.*\)$/.test(text))
    return wrong("expected a name and its argument types, as in Transfer(address,address,uint256)")
  if (/[,(] ?,|, ?\)/.test(text)) return wrong("an argument type is missing beside a comma")
  const declaration: ReadonlyArray<string> = [`event ${text.replace(" (", "(")}`]
  // The reader of declarations reports a bad one by throwing.
  return Result.match(
    Result.try(() => AbiItem.getSignatureHash(AbiItem.from(declaration))),
    {
      onSuccess: (topic) => Result.succeed(topic),
      onFailure: (error) => wrong(explain(error)),
    },
  )
}

const explain = (error: unknown): string => {
  const message = error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error)
  const unknown = /Type "([^"]*)" is not a valid ABI type/.exec(message)?.[1]
  if (unknown === undefined) return message
  const meant = nearest(unknown, commonTypes)
  return `"${unknown}" is not a type${meant === undefined ? "" : `; did you mean "${meant}"?`}`
}

const commonTypes = ["address", "bool", "string", "bytes", "bytes4", "bytes32", "uint256", "uint128", "uint8", "int256"]
