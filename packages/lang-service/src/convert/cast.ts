/**
 * Reads commands of Foundry's `cast` that ask a node for something: what each of them sends is known without running it.
 *
 * Invariant: of a command that is not converted only its name is kept, as its options may hold keys.
 */
import { Json } from "@dotrpc/spec"
import { headersAreLeft, keysOf, missingUrl, readUrl } from "./urls.ts"
import { withoutKeys } from "./keys.ts"
import type { Converted, ConvertedCall, ConvertedSection } from "./Converted.ts"
import { assignmentsOf, filledIn, shellVariables, type ShellVariables } from "./shellVariables.ts"
import { type ShellCommand, shellCommands } from "./shellWords.ts"

/** A request for each cast command. What cannot be known, or is not a read, becomes a comment with the reason. */
export const readCast = (text: string): Converted => {
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  const keys = new Set<string>()
  const commands = shellCommands(text).flatMap(withOutputs)
  const variables = shellVariables(commands)
  const { values } = variables
  const used = new Set<string>()
  for (const command of commands) {
    const problem = (message: string) => problems.push({ line: command.line, message })
    for (const [variable] of assignmentsOf(command.words) ?? [])
      if (variables.keys.has(variable))
        problem(`the value of ${variable} looks like a key and is not copied: set it as a secret`)
      else if (command.problem !== undefined) problem(`the value of ${variable} is not copied: ${command.problem}`)
    if (assignmentsOf(command.words) !== undefined) continue
    const words = withoutKeywords(command.words)
    const start = words.findIndex((word, index) => !(index === 0 && /^[$%>]$/.test(word)) && !isAssignment(word))
    const [program = "", name = "", ...rest] = start < 0 ? [] : words.slice(start)
    if (program === "") continue
    if (!/(^|\/)cast(\.exe)?$/.test(program)) {
      problem(`"${/^[\w./-]{1,40}$/.test(program) ? program : "a command"}" is not a cast command; it is left out`)
      continue
    }
    const options = readOptions(name, rest)
    const filled = readOptions(
      name,
      rest.map((word) => filledIn(word, values)),
    )
    const target = addressOf(filled, new Map([...values, ...(assignmentsOf(words.slice(0, start)) ?? [])]))
    for (const key of keysOf(target)) keys.add(key)
    // A single word is a name of its configuration.
    const url =
      target === flashbots.url
        ? flashbots
        : /^(?!localhost$)[A-Za-z][\w-]*$/.test(target)
          ? missingUrl(target)
          : readUrl(target)
    url.problems.forEach(problem)
    if (options.headers.length > 0) problem(headersAreLeft(options.headers.join(", ")))
    const call = callWith(name, { options, filled }, command, variables)
    const [title, ...comments] = command.comments
    if ("problem" in call) {
      const reason = `this command cannot be converted: ${call.problem}`
      problem(`${reason}; its name is kept as a comment`)
      const kept = `cast ${isWord(name) ? name : "…"}`
      sections.push({ title: "", comments: [...command.comments, `${kept}: ${reason}`], checks: [] })
    } else {
      const named = (whole: string, variable: string): string => {
        if (variables.keys.has(variable)) return `$secret.${variable}`
        if (!values.has(variable)) return whole
        used.add(variable)
        return variable
      }
      const inBraces = call.params.replace(inExpression, named)
      const params = inBraces.replace(environment, (_, variable: string) => {
        return `{{${named(`$env.${variable}`, variable)}}}`
      })
      sections.push({ title: title ?? call.method, comments, call: { ...call, params }, url, checks: [] })
    }
  }
  const converted = {
    variables: [...values].flatMap(([name, value]) => (used.has(name) ? [{ name, value: Json.stringify(value) }] : [])),
    sections,
    problems,
  }
  return withoutKeys(converted, keys)
}

/** The URL that cast sends a command to. What is set nowhere in the script is set around it. */
const addressOf = ({ values }: CastOptions, set: ReadonlyMap<string, string>): string =>
  values.has("--flashbots")
    ? flashbots.url
    : (values.get("--rpc-url") ?? set.get("ETH_RPC_URL") ?? "{{$env.ETH_RPC_URL}}")

/** Its last word is not a key. */
const flashbots = { url: "https://rpc.flashbots.net/fast", host: "flashbots", secrets: [], problems: [] }

/** Names stand in a call where their values fit as they are: numbers and arguments are written in another way than in a shell. */
const callWith = (
  name: string,
  { filled, options }: { readonly options: CastOptions; readonly filled: CastOptions },
  command: ShellCommand,
  { changing, values }: ShellVariables,
): ConvertedCall | Unreadable => {
  if (command.problem !== undefined) return { problem: command.problem }
  const texts = [...options.args, ...options.values.values(), command.input ?? ""]
  const unknown = namesIn(texts).find((variable) => changing.has(variable))
  if (unknown !== undefined) return { problem: `the value of ${unknown} is known only while the script runs` }
  const fits = namesIn(texts).every((variable) => /^0x[\da-f]{40}$/i.test(values.get(variable) ?? hexOfNone))
  const call = fits ? callOf(name, options, command) : undefined
  return call === undefined || "problem" in call ? callOf(name, filled, command) : call
}

/** What a name that the script does not set is taken for. */
const hexOfNone = `0x${"0".repeat(40)}`

const environment = /\{\{\$env\.(\w+)\}\}/g

/** As an argument of a function, inside the braces of an expression. */
const inExpression = /(?<=, )\$env\.(\w+)(?=, |\)\}\})/g

const namesIn = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => [...text.matchAll(environment)].map(([, name = ""]) => name))

/** `NAME=$(cast …)` and the command whose output it gets, by the title `NAME`. */
const withOutputs = (command: ShellCommand): ReadonlyArray<ShellCommand> => {
  const [[name, value] = [], ...others] = assignmentsOf(command.words) ?? []
  const inner = others.length > 0 ? undefined : /^(?:\$\(([^]*)\)|`([^]*)`)$/.exec(value ?? "")
  if (name === undefined || inner === null || inner === undefined) return [command]
  const found = shellCommands(inner[1] ?? inner[2] ?? "").map((each) => ({ ...each, line: command.line }))
  const [first, ...rest] = found
  if (first === undefined) return [command]
  return [{ ...command, comments: [] }, { ...first, comments: [...command.comments, name] }, ...rest]
}

/** A command as it stands after `do` or `then`: what is in a loop is imported once. */
const withoutKeywords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const start = words.findIndex((word) => !/^(?:do|then|else|elif|if|while|until|done|fi|esac|!|\{|\})$/.test(word))
  return start < 0 ? [] : words.slice(start)
}

interface CastOptions {
  readonly args: ReadonlyArray<string>
  readonly values: ReadonlyMap<string, string>
  /** Names of headers. */
  readonly headers: ReadonlyArray<string>
}

type Unreadable = { readonly problem: string }

const readOptions = (command: string, words: ReadonlyArray<string>): CastOptions => {
  const args: Array<string> = []
  const values = new Map<string, string>()
  const headers: Array<string> = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ""
    const [, long, given] = /^(--[\w.-]+)=([\s\S]*)$/.exec(word) ?? []
    const option = short[`${command} ${word}`] ?? short[word] ?? long ?? (/^-v+$/.test(word) ? "--verbosity" : word)
    // A number below zero is an argument.
    if (!/^-[-a-z]/i.test(word)) args.push(word)
    else if (flags.has(option)) values.set(option, "")
    else {
      const value = given ?? words[++index] ?? ""
      if (option === "--rpc-headers")
        headers.push(/^\s*([A-Za-z][\w-]{0,40})\s*:/.exec(value)?.[1] ?? "one that has no name")
      else values.set(option, value)
    }
  }
  return { args, values, headers }
}

/** Short options, some of which mean another option in some commands. */
const short: Readonly<Record<string, string>> = {
  "-r": "--rpc-url",
  "-b": "--block",
  "-B": "--block",
  "-j": "--threads",
  "-k": "--insecure",
  "-c": "--chain",
  "-q": "--quiet",
  "-v": "--verbosity",
  "balance -e": "--ether",
  "block -f": "--field",
  "call -f": "--from",
  "rpc -w": "--raw",
}

/** Options without a value: how results are shown, and how cast works. */
const flags: ReadonlySet<string> = new Set(
  "--raw --json --full --ether --insecure --flashbots --curl --async --md --quiet --verbosity --no-proxy --no-rpc-rate-limit --trace --create --subscribe --debug".split(
    " ",
  ),
)

/** Options that are read, or that a saved request does not need. */
const known: ReadonlySet<string> = new Set(
  "--rpc-url --block --from --data --field --from-block --to-block --address --query-size --raw --json --full --ether --insecure --flashbots --curl --async --md --quiet --verbosity --no-proxy --no-rpc-rate-limit --threads --rpc-timeout --compute-units-per-second --chain --color --confirmations --jwt-secret".split(
    " ",
  ),
)

const callOf = (name: string, options: CastOptions, command: ShellCommand): ConvertedCall | Unreadable => {
  const read = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (read === undefined)
    return {
      problem: isWord(name) ? `cast ${name} is not one of the commands that can be converted` : "it has no subcommand",
    }
  const found = [...options.values.keys()].find((option) => !known.has(option))
  if (found !== undefined)
    return {
      problem: `${/^--?[a-z][\w.-]{0,30}$/i.test(found) ? `the option ${found}` : "an option"} has no counterpart in dotrpc`,
    }
  return read(options, command)
}

type Read = (options: CastOptions, command: ShellCommand) => ConvertedCall | Unreadable

/** A method whose params are the arguments in their order, and then the block. */
const plain =
  (method: string, names: ReadonlyArray<(text: string | undefined) => Piece>, takesBlock = false): Read =>
  ({ args, values }) =>
    takesBlock && args.length > names.length
      ? { problem: "it has more arguments than the call takes" }
      : withPieces(method, [
          ...names.map((read, index) => read(args[index])),
          ...(takesBlock ? [blockState(values.get("--block"))] : []),
        ])

/** A param as text of the language, or why it is not one. */
type Piece = { readonly text: string } | Unreadable

const withPieces = (method: string, pieces: ReadonlyArray<Piece>): ConvertedCall | Unreadable => {
  const texts: Array<string> = []
  for (const piece of pieces) {
    if ("problem" in piece) return piece
    texts.push(piece.text)
  }
  return { method, params: `[${texts.join(", ")}]` }
}

const quoted = (text: string): Piece => ({ text: Json.stringify(text) })

const isTemplate = (text: string): boolean => /^\{\{\$env\.\w+\}\}$/.test(text)

const address = (text: string | undefined): Piece =>
  text !== undefined && (/^0x[\da-f]{40}$/i.test(text) || isTemplate(text))
    ? quoted(text)
    : { problem: text === undefined ? "it has no address" : "a name cannot be converted to an address without a node" }

const hash = (text: string | undefined): Piece =>
  text !== undefined && (/^0x[\da-f]{64}$/i.test(text) || isTemplate(text))
    ? quoted(text)
    : { problem: "it has no transaction hash of 32 bytes" }

const slot = (text: string | undefined): Piece => {
  const number = text === undefined ? undefined : hexOf(text)
  return number === undefined ? { problem: "it names no single storage slot by its number" } : quoted(number)
}

const hexOf = (text: string): string | undefined =>
  /^0x[\da-f]{1,64}$/i.test(text) ? text : /^\d{1,78}$/.test(text) ? `0x${BigInt(text).toString(16)}` : undefined

/** Seconds since 1970. */
const time = (text: string | undefined): Piece =>
  text !== undefined && /^\d{1,12}$/.test(text)
    ? { text: String(Number(text)) }
    : { problem: "it has no time in seconds since 1970" }

const tags: ReadonlySet<string> = new Set(["latest", "earliest", "pending", "safe", "finalized"])

/** A number or a tag; the newest block when absent. */
const block = (text: string = "latest"): Piece => {
  if (tags.has(text) || isTemplate(text)) return quoted(text)
  const number = /^(\d{1,18}|0x[\da-f]{1,16})$/i.test(text) ? `0x${BigInt(text).toString(16)}` : undefined
  return number === undefined ? { problem: "its block is not a number or a tag" } : quoted(number)
}

/** As {@link block}; the state of a block may be named by the hash of the block as well. */
const blockState = (text: string | undefined): Piece =>
  text !== undefined && /^0x[\da-f]{64}$/i.test(text) ? { text: `{ "blockHash": "${text}" }` } : block(text)

const readBlock: Read = ({ args: [which], values }) => {
  const full = values.has("--full") ? "true" : "false"
  if (values.has("--raw")) return { problem: "the bytes of a block need another call: debug_getRawBlock" }
  if (values.has("--field"))
    return { problem: "a field of a block is read from its result: write a check or {{name.result.field}}" }
  return which !== undefined && /^0x[\da-f]{64}$/i.test(which)
    ? withPieces("eth_getBlockByHash", [quoted(which), { text: full }])
    : withPieces("eth_getBlockByNumber", [block(which), { text: full }])
}

/** `cast rpc METHOD [PARAMS…]`: each param is JSON, or else a string. */
const readRpc: Read = ({ args: [method = "", ...params], values }, { input }) => {
  if (!/^[A-Za-z_][\w.:/-]*$/.test(method)) return { problem: "it has no method" }
  if (!values.has("--raw"))
    return { method, params: `[${params.map((param) => Json.stringify(jsonOf(param) ?? param)).join(", ")}]` }
  const raw = params[0] ?? input
  const found = raw === undefined ? undefined : jsonOf(raw)
  return found !== undefined && (Json.isArray(found) || Json.isObject(found))
    ? { method, params: Json.stringify(found) }
    : { problem: "its params are not an array or an object in JSON" }
}

const jsonOf = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch (error) {
    if (error instanceof Json.JsonSyntaxError) return undefined
    throw error
  }
}

/** `cast call TO SIGNATURE [ARGS…]`: the expression `call(…)` encodes the same arguments. */
const readCall: Read = ({ args: [to, signature, ...args], values }) => {
  const data = values.get("--data") ?? (/^0x(?:[\da-f]{2})*$/i.test(signature ?? "") ? signature : undefined)
  const from = values.get("--from")
  const target = address(to)
  if ("problem" in target) return target
  const sender = from === undefined ? undefined : address(from)
  if (sender !== undefined && "problem" in sender) return sender
  const encoded = data === undefined ? expressionOf("call", signature, args) : quoted(data)
  if ("problem" in encoded) return encoded
  const members = [
    ...(sender === undefined ? [] : [`"from": ${sender.text}`]),
    `"to": ${target.text}`,
    `"data": ${encoded.text}`,
  ]
  return withPieces("eth_call", [{ text: `{ ${members.join(", ")} }` }, blockState(values.get("--block"))])
}

/** `cast logs [SIGNATURE|TOPIC] [TOPICS…]` */
const readLogs: Read = ({ args, values }) => {
  const members: Array<string> = []
  for (const [option, member] of [
    ["--from-block", "fromBlock"],
    ["--to-block", "toBlock"],
  ] as const) {
    const value = values.get(option)
    if (value === undefined) continue
    const end = block(value)
    if ("problem" in end) return end
    members.push(`"${member}": ${end.text}`)
  }
  if (values.has("--address")) {
    const from = address(values.get("--address"))
    if ("problem" in from) return from
    members.push(`"address": ${from.text}`)
  }
  const topics: Array<string> = []
  for (const [index, arg] of args.entries()) {
    const topic = topicOf(arg, index === 0)
    if ("problem" in topic) return topic
    topics.push(topic.text)
  }
  if (topics.length > 0) members.push(`"topics": [${topics.join(", ")}]`)
  return { method: "eth_getLogs", params: members.length === 0 ? "[{}]" : `[{ ${members.join(", ")} }]` }
}

const topicOf = (text: string, isFirst: boolean): Piece => {
  if (/^0x[\da-f]{64}$/i.test(text)) return quoted(text)
  if (text === "") return { text: "null" }
  if (/^0x[\da-f]{40}$/i.test(text)) return quoted(`0x${"0".repeat(24)}${text.slice(2)}`)
  return isFirst ? expressionOf("event", text, []) : { problem: "a topic is not an address or 32 bytes" }
}

/** `{{call("f(address)", "0x…")}}` */
const expressionOf = (what: "call" | "event", signature: string | undefined, args: ReadonlyArray<string>): Piece => {
  const declared = signature === undefined ? undefined : declarationOf(signature)
  if (declared === undefined)
    return {
      problem:
        signature === undefined
          ? "it names no function"
          : "its signature is not written with types, such as balanceOf(address)",
    }
  const variables = args.map((arg) => /^\{\{(\$env\.\w+)\}\}$/.exec(arg)?.[1])
  if (args.some((arg, index) => variables[index] === undefined && /\{\{|[\r\n]/.test(arg)))
    return { problem: "a part of an argument is a variable, or it contains a line break" }
  if (args.some((arg) => /^[[(]/.test(arg) && jsonOf(arg) === undefined))
    return { problem: "an array or a struct must be JSON, which this argument is not" }
  const words = args.map((arg, index) => variables[index] ?? JSON.stringify(arg))
  return { text: `{{${what}(${[JSON.stringify(declared), ...words].join(", ")})}}` }
}

/** `balanceOf(address)(uint256)` as `balanceOf(address) returns (uint256)`. */
const declarationOf = (signature: string): string | undefined => {
  if (signature.length > longestSignature || !/^[\w\s,[\]()$]+$/.test(signature)) return undefined
  const text = signature.trim().replace(/^(?:function|event)\s+/, "")
  const open = text.indexOf("(")
  const close = closingOf(text, open)
  if (!/^[A-Za-z_$][\w$]*$/.test(text.slice(0, open).trim()) || close < 0) return undefined
  const outputs = text
    .slice(close + 1)
    .replace(/\b(?:external|public|view|pure|returns)\b/g, "")
    .trim()
  if (outputs === "") return text.slice(0, close + 1)
  return closingOf(outputs, 0) === outputs.length - 1 ? `${text.slice(0, close + 1)} returns ${outputs}` : undefined
}

const longestSignature = 2_000

/** Where the bracket that opens there is closed; -1 where none opens, or it is never closed. */
const closingOf = (text: string, open: number): number => {
  if (text[open] !== "(") return -1
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === "(") depth++
    if (text[index] === ")" && --depth === 0) return index
  }
  return -1
}

const commands: Readonly<Record<string, Read>> = {
  rpc: readRpc,
  call: readCall,
  logs: readLogs,
  block: readBlock,
  balance: plain("eth_getBalance", [address], true),
  nonce: plain("eth_getTransactionCount", [address], true),
  code: plain("eth_getCode", [address], true),
  storage: plain("eth_getStorageAt", [address, slot], true),
  tx: plain("eth_getTransactionByHash", [hash]),
  receipt: plain("eth_getTransactionReceipt", [hash]),
  "block-number": plain("eth_blockNumber", []),
  "chain-id": plain("eth_chainId", []),
  "gas-price": plain("eth_gasPrice", []),
  client: plain("web3_clientVersion", []),
  "find-block": plain("evm_blockAt", [time]),
}

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word)

const isWord = (text: string): boolean => /^[\w-]{1,40}$/.test(text)
