/** The topic of an event: the hash that the first topic of its logs carries. */
import { type Abi, nearest, type PluginFunction, type Suggestion } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { readDeclaration } from "../abi/declaration.ts"
import { eventsOf } from "../abi/EventDeclaration.ts"
import { standardEvents } from "../standardEvents.ts"
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
    '{{event("Transfer")}}    // when `# @abi` or an ABI file of the project declares it',
    "```",
    "",
    "All give the same 32 bytes: names, `indexed` and `anonymous` do not matter. `uint` means `uint256`, and a struct is",
    "written as a tuple, `(uint256,address)[]`.",
  ].join("\n"),
  call: (args, context) => {
    const [signature] = args
    if (args.length !== 1 || typeof signature !== "string")
      return { problem: 'event takes one string, such as event("Transfer(address,address,uint256)")' }
    const topic = isName(signature) ? topicByName(signature, context?.abi ?? []) : topicOf(signature)
    return Result.match(topic, {
      onSuccess: (value) => ({ value }),
      onFailure: (problem) => ({ problem }),
    })
  },
  suggest: (argument, { abi = [] }) => {
    if (argument !== 0) return []
    const declared = declaredEvents(abi)
    return declared.length > 0 ? declared : standardEvents.map(([text, detail]) => ({ text, detail }))
  },
}

/** By its name, or by its signature where the name stands for several events. */
const declaredEvents = (abi: Abi): ReadonlyArray<Suggestion> => {
  const events = new Map(
    eventsOf(abi).flatMap((event) => (event.topic === undefined ? [] : [[event.signature, event]])),
  )
  return [...events.values()].map(({ name, signature }) => {
    const isAlone = [...events.values()].filter((other) => other.name === name).length === 1
    return { text: isAlone ? name : signature, detail: signature }
  })
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

const topicByName = (name: string, abi: Abi): Result.Result<Hash, string> => {
  const events = eventsOf(abi)
  const named = events.filter((entry) => entry.name === name)
  const topics = new Set(named.flatMap((entry) => entry.topic ?? []))
  const [topic] = topics
  if (topics.size > 1) {
    const signatures = [...new Set(named.map((entry) => `"${entry.signature}"`))].join(" or ")
    return Result.fail(`several events are named ${name}: write ${signatures}`)
  }
  if (topic !== undefined) return Result.succeed(topic)
  if (named.length > 0) return Result.fail(`${name} is anonymous: its logs have no topic of their own`)
  const meant = nearest(
    name,
    events.map((entry) => entry.name),
  )
  if (meant !== undefined) return Result.fail(`no event ${name} is declared; did you mean "${meant}"?`)
  return Result.fail(
    `no event ${name} is declared: write its argument types, as in Transfer(address,address,uint256), or declare it with # @abi`,
  )
}

const topicOf = (signature: string): Result.Result<Hash, string> => {
  const read = readDeclaration(signature, "event")
  const text = signature.replace(/\s+/g, " ").trim()
  const wrong = (why: string) => Result.fail(`"${text}" is not an event signature: ${why}`)
  if ("problem" in read) return wrong(read.problem)
  // An anonymous event has the topic that it would have if it were not.
  const [declared] = eventsOf(read.abi.map((item) => ({ ...item, anonymous: false })))
  return declared?.topic === undefined
    ? wrong("expected a name and its argument types")
    : Result.succeed(declared.topic)
}
