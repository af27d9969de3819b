/**
 * Reads snippets for viem, in JavaScript or TypeScript, as far as they are static: what each call sends is known without running it.
 *
 * Invariant: of a call that is not converted only the name of its action is kept, as its values may be keys.
 */
import { Json } from "@dotrpc/spec"
import type { Comment } from "acorn"
import { declaredIn, type DeclaredParameter, eventOf, signatureOf } from "./abiText.ts"
import type { Converted, ConvertedCall, ConvertedSection, ConvertedUrl } from "./Converted.ts"
import {
  bare,
  lineOfNode,
  memberName,
  nameOf,
  nodeIn,
  nodesIn,
  parseScript,
  plainIn,
  type ScriptNode,
} from "./script.ts"
import {
  hexOf,
  isArray,
  isObject,
  NotStatic,
  shown,
  type StaticObject,
  type StaticValue,
  StaticValues,
} from "./staticValues.ts"
import { headersAreLeft, keptParts, keysOf, readUrl, withoutKeys } from "./urls.ts"

/** A request for each call of a client. What cannot be known, and what is not a read, is a comment with the reason. */
export const readViem = (text: string): Converted => {
  const script = parseScript(text.replace(/^\uFEFF/, ""))
  if ("problem" in script)
    return { variables: [], sections: [], problems: [{ line: script.line, message: script.problem }] }
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  const keys = new Set<string>()
  const values = new StaticValues(script.program)
  const clients = new Clients(values, (line, message) => problems.push({ line, message }), keys)
  const commentsAbove = commentFinder(text, script.comments)
  for (const { node, statement } of values.nodes) {
    const action = node.type === "CallExpression" ? clients.actionOf(node) : undefined
    if (action === undefined) continue
    const comments = commentsAbove(statement)
    try {
      const call = callOf(action, values)
      const [title, ...others] = comments
      const { network, url } = action.client
      const hints = url === undefined && network !== undefined ? [`chain: ${network}`] : []
      sections.push({ title: title ?? call.method, comments: [...others, ...hints], call, url, checks: [] })
    } catch (error) {
      if (!(error instanceof NotStatic)) throw error
      const reason = `this call cannot be converted: ${error.message}`
      problems.push({ line: lineOfNode(node), message: `${reason}; its name is kept as a comment` })
      sections.push({ title: "", comments: [...comments, `${shown(action.name)}: ${reason}`], checks: [] })
    }
  }
  const hidden = withoutKeys(sections, keys)
  return {
    variables: [],
    sections: hidden.sections,
    problems: [...hidden.problems, ...problems].toSorted((left, right) => left.line - right.line),
  }
}

/** Where a client sends its calls, as far as the script says. */
interface Client {
  readonly isCreated: boolean
  readonly network?: string | undefined
  readonly url?: ConvertedUrl | undefined
}

/** A call of a client. */
interface Action {
  readonly name: string
  readonly client: Client
  readonly args: ReadonlyArray<ScriptNode | undefined>
}

/** The clients of a script. Each is read, and its problems are reported, once. */
class Clients {
  readonly #values: StaticValues
  readonly #report: (line: number, message: string) => void
  readonly #keys: Set<string>
  readonly #created = new Map<ScriptNode, Client>()

  constructor(values: StaticValues, report: (line: number, message: string) => void, keys: Set<string>) {
    this.#values = values
    this.#report = report
    this.#keys = keys
  }

  /** `client.getBlock({…})`, or `getBlock(client, {…})` of `viem/actions`. */
  actionOf(node: ScriptNode): Action | undefined {
    const callee = nodeIn(node, "callee")
    const target = callee === undefined ? undefined : bare(callee)
    const args = nodesIn(node, "arguments")
    const object = target === undefined ? undefined : nodeIn(target, "object")
    if (target?.type === "MemberExpression" && object !== undefined) {
      const name = memberName(target)
      const client = name === undefined || name === "extend" ? undefined : this.#clientOf(object)
      if (name === undefined || client === undefined) return undefined
      return client.isCreated || actions.has(name) ? { name, client, args } : undefined
    }
    const binding = this.#values.bindingOf(nameOf(target) ?? "")
    if (binding?.kind !== "import") return undefined
    const [first, ...rest] = args
    if (binding.from === "viem" && binding.imported === "getContract")
      return { name: "getContract", client: { isCreated: true }, args }
    const client = binding.from !== "viem/actions" || first === undefined ? undefined : this.#clientOf(first)
    return client === undefined ? undefined : { name: binding.imported, client, args: rest }
  }

  /** Made in this script, or by its name made elsewhere. */
  #clientOf(written: ScriptNode): Client | undefined {
    const node = bare(written)
    const name = nameOf(node) ?? memberName(node)
    const binding = node.type === "Identifier" ? this.#values.bindingOf(name ?? "") : undefined
    const creation = creationIn(binding?.kind === "const" ? binding.value : node, this.#values)
    if (creation === undefined) {
      if (name === undefined || !/client$/i.test(name)) return undefined
      return { isCreated: /^(?:public|wallet|test)?client$/i.test(name) }
    }
    const known = this.#created.get(creation)
    if (known !== undefined) return known
    const client = this.#read(creation)
    this.#created.set(creation, client)
    return client
  }

  #read(creation: ScriptNode): Client {
    const line = lineOfNode(creation)
    const [first] = nodesIn(creation, "arguments")
    const options = first === undefined ? undefined : bare(first)
    const chain = options === undefined ? undefined : memberOf(options, "chain")
    const named = chain === undefined ? undefined : (nameOf(bare(chain)) ?? memberName(bare(chain)))
    const network = named !== undefined && /^[A-Za-z]\w{0,30}$/.test(named) ? named : undefined
    const transport = options === undefined ? undefined : memberOf(options, "transport")
    const url = transport === undefined ? undefined : this.#urlOf(transport, line)
    if (url === undefined && transport !== undefined)
      this.#report(
        line,
        network === undefined
          ? "the URL of this client is not known: no network is added for it"
          : `the URL of this client is not known: add a network for its chain, ${network}, to rpc.config.json`,
      )
    // The chain is a better name for the network than the host.
    return { isCreated: true, network, url: url === undefined ? undefined : { ...url, host: network ?? url.host } }
  }

  #urlOf(written: ScriptNode, line: number): ConvertedUrl | undefined {
    const found = bare(written)
    const binding = this.#values.bindingOf(nameOf(found) ?? "")
    const node = binding?.kind === "const" ? bare(binding.value) : found
    const [target, settings] = node.type === "CallExpression" ? nodesIn(node, "arguments") : []
    const kind = this.#values.importedName(nameOf(nodeIn(node, "callee")) ?? "")
    if (kind === "fallback" && target !== undefined) {
      const [main, ...others] = nodesIn(bare(target), "elements")
      if (others.length > 0) this.#report(line, "only the first transport of fallback is imported")
      const isSame = main === undefined || nameOf(nodeIn(bare(main), "callee")) === nameOf(nodeIn(node, "callee"))
      return isSame ? undefined : this.#urlOf(main, line)
    }
    if ((kind !== "http" && kind !== "webSocket") || target === undefined) return undefined
    const headers = settings === undefined ? [] : this.#headersIn(bare(settings))
    if (headers.length > 0) this.#report(line, headersAreLeft(headers.join(", ")))
    const text = this.#textOf(target)
    if (text === undefined) return undefined
    for (const key of keysOf(text, () => undefined)) this.#keys.add(key)
    const url = readUrl(text, () => undefined)
    if (url?.leavesCredentials === true)
      this.#report(
        line,
        "the user name and password of its URL are not imported: write them into the network's URL, as secrets",
      )
    if (url !== undefined) for (const kept of keptParts(url)) this.#report(line, kept)
    return url
  }

  #textOf(node: ScriptNode): string | undefined {
    try {
      const value = this.#values.valueOf(node)
      return typeof value === "string" ? value : undefined
    } catch (error) {
      if (error instanceof NotStatic) return undefined
      throw error
    }
  }

  /** The names of headers. Their values may be keys, which a comment may repeat. */
  #headersIn(settings: ScriptNode): ReadonlyArray<string> {
    const options = memberOf(settings, "fetchOptions")
    const headers = options === undefined ? undefined : memberOf(bare(options), "headers")
    if (headers === undefined) return []
    return nodesIn(bare(headers), "properties").map((property) => {
      const key = property === undefined ? undefined : nodeIn(property, "key")
      const value = property === undefined ? undefined : nodeIn(property, "value")
      const text = value === undefined ? undefined : this.#textOf(value)
      for (const word of text?.split(/\s+/) ?? []) if (word.length >= 8) this.#keys.add(word)
      const name = nameOf(key) ?? (key === undefined ? undefined : plainIn(key, "value"))
      return typeof name === "string" && /^[\w-]{1,40}$/.test(name) ? name : "one that has no name"
    })
  }
}

/** The call that makes a client, before what extends it. */
const creationIn = (written: ScriptNode, values: StaticValues): ScriptNode | undefined => {
  let node = bare(written)
  while (node.type === "CallExpression") {
    const callee = nodeIn(node, "callee")
    if (callee === undefined) return undefined
    const name = values.importedName(nameOf(callee) ?? "")
    if (/^create(?:Public|Wallet|Test)?Client$/.test(name ?? "")) return node
    const object = memberName(callee) === "extend" ? nodeIn(callee, "object") : undefined
    if (object === undefined) return undefined
    node = bare(object)
  }
  return undefined
}

/** A member of an object in the script. */
const memberOf = (object: ScriptNode, name: string): ScriptNode | undefined => {
  const found = nodesIn(object, "properties").find((property) => {
    const key = property === undefined ? undefined : nodeIn(property, "key")
    return key !== undefined && (nameOf(key) ?? plainIn(key, "value")) === name
  })
  return found === undefined ? undefined : nodeIn(found, "value")
}

/** The comments that end in the line before a statement. */
const commentFinder = (text: string, comments: ReadonlyArray<Comment>) => {
  const alone = comments.filter(({ start }) => text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim() === "")
  const byEnd = new Map(alone.flatMap((comment) => (comment.loc == null ? [] : [[comment.loc.end.line, comment]])))
  return (statement: ScriptNode): ReadonlyArray<string> => {
    const found: Array<string> = []
    let line = lineOfNode(statement) - 1
    for (let comment = byEnd.get(line); comment !== undefined; comment = byEnd.get(line)) {
      // The comments of a statement belong to its first call.
      byEnd.delete(line)
      const lines = comment.value
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .map((part) => part.replace(/^[ \t]*\*? ?/, "").trimEnd())
      found.unshift(...lines.filter((part) => part !== "").slice(0, mostCommentLines))
      line = (comment.loc?.start.line ?? 1) - 1
    }
    return found
  }
}

const mostCommentLines = 200

const callOf = ({ args, client, name }: Action, values: StaticValues): ConvertedCall => {
  const read = actions.get(name)
  if (read === undefined) throw new NotStatic(`${shown(name)} is not one of the calls that can be converted`)
  const [first] = args
  const value = first === undefined ? undefined : values.valueOf(first)
  if (value !== undefined && !isObject(value)) throw new NotStatic("its options are not an object")
  if (name === "request" && !client.isCreated && !String(value?.get("method") ?? "").includes("_"))
    throw new NotStatic("its method or params are not those of a JSON-RPC request")
  const options = new Options(value ?? new Map())
  const call = read(options)
  const [left] = options.left
  if (left !== undefined) throw new NotStatic(`the option ${shown(left)} has no counterpart here`)
  values.spend(call.params.length)
  return call
}

/** The options of a call. An option that nothing reads may change what is sent. */
class Options {
  readonly #values: StaticObject
  readonly #read = new Set<string>()

  constructor(values: StaticObject) {
    this.#values = values
  }

  get(name: string): StaticValue {
    this.#read.add(name)
    return this.#values.get(name)
  }

  get left(): ReadonlyArray<string> {
    return [...this.#values.keys()].filter((name) => !this.#read.has(name) && this.#values.get(name) !== undefined)
  }
}

type Read = (options: Options) => ConvertedCall

const callWith = (method: string, params: ReadonlyArray<string>): ConvertedCall => ({
  method,
  params: `[${params.join(", ")}]`,
})

const quoted = (text: string): string => Json.stringify(text)

const isTemplate = (text: string): boolean => /^\{\{\$env\.\w+\}\}$/.test(text)

const bytesOf = (value: StaticValue, bytes: number, expected: string): string => {
  if (typeof value !== "string") throw new NotStatic(`it has no ${expected}`)
  if (isTemplate(value) || (/^0x[\da-f]*$/i.test(value) && value.length === 2 + 2 * bytes)) return quoted(value)
  throw new NotStatic(`its ${expected} does not have ${bytes} bytes`)
}

const address = (value: StaticValue): string => bytesOf(value, 20, "address")

const hash = (value: StaticValue): string => bytesOf(value, 32, "hash")

const number = (value: StaticValue): string => quoted(hexOf(value))

const data = (value: StaticValue): string => {
  if (typeof value === "string" && (isTemplate(value) || /^0x(?:[\da-f]{2})*$/i.test(value))) return quoted(value)
  throw new NotStatic("its data is not hex")
}

const tags: ReadonlySet<string> = new Set(["latest", "earliest", "pending", "safe", "finalized"])

/** A number or a tag. */
const block = (value: StaticValue): string => {
  if (typeof value === "bigint" || typeof value === "number") return number(value)
  if (typeof value === "string" && (tags.has(value) || isTemplate(value) || /^0x[\da-f]{1,16}$/i.test(value)))
    return quoted(value)
  throw new NotStatic("its block is not a number or a tag")
}

/** The block of `blockNumber` or `blockTag`. */
const blockIn = (options: Options): string | undefined => {
  const [height, tag] = [options.get("blockNumber"), options.get("blockTag")]
  return height === undefined && tag === undefined ? undefined : block(height ?? tag)
}

/** As {@link blockIn}, the newest one when absent. The state of a block may be named by its hash as well. */
const stateIn = (options: Options): string => {
  const blockHash = options.get("blockHash")
  return blockHash === undefined ? (blockIn(options) ?? quoted("latest")) : `{ "blockHash": ${hash(blockHash)} }`
}

const plain =
  (method: string): Read =>
  (options) => {
    // How long viem remembers a result is nothing that it sends.
    options.get("cacheTime")
    return callWith(method, [])
  }

const ofAccount =
  (method: string): Read =>
  (options) =>
    callWith(method, [address(options.get("address")), stateIn(options)])

/** `client.request({ method, params })` */
const readRequest: Read = (options) => {
  const [method, params] = [options.get("method"), options.get("params")]
  if (typeof method !== "string" || !/^[A-Za-z_][\w.:/-]*$/.test(method)) throw new NotStatic("it has no method")
  if (params === undefined) return callWith(method, [])
  if (!isArray(params) && !isObject(params)) throw new NotStatic("its params are not an array or an object")
  return { method, params: jsonOf(params) }
}

/** A value as the text that viem would send. `integers` may be digits only where they are arguments of a function. */
const jsonOf = (value: StaticValue, integers: "none" | "digits" = "none"): string => {
  const parts: Array<string> = []
  let written = 0
  const add = (text: string) => {
    written += text.length
    if (written > longestParams) throw new NotStatic("its params are too long")
    parts.push(text)
  }
  const write = (item: StaticValue): void => {
    if (typeof item === "bigint") {
      if (integers === "none") throw new NotStatic("a bigint is not JSON: write it in hex, as a string")
      add(String(item))
    } else if (isArray(item)) {
      add("[")
      item.forEach((element, index) => {
        if (index > 0) add(", ")
        write(element ?? null)
      })
      add("]")
    } else if (isObject(item)) {
      add("{")
      let isFirst = true
      for (const [name, member] of item) {
        if (member === undefined) continue
        add(`${isFirst ? "" : ", "}${quoted(name)}: `)
        isFirst = false
        write(member)
      }
      add("}")
    } else if (typeof item === "number" && !Number.isFinite(item)) throw new NotStatic("a number is not finite")
    else add(JSON.stringify(item ?? null))
  }
  write(value)
  return parts.join("")
}

const longestParams = 200_000

const readBlock: Read = (options) => {
  const full = options.get("includeTransactions") === true ? "true" : "false"
  const blockHash = options.get("blockHash")
  return blockHash === undefined
    ? callWith("eth_getBlockByNumber", [blockIn(options) ?? quoted("latest"), full])
    : callWith("eth_getBlockByHash", [hash(blockHash), full])
}

const readTransaction: Read = (options) => {
  const index = options.get("index")
  if (index === undefined) return callWith("eth_getTransactionByHash", [hash(options.get("hash"))])
  const blockHash = options.get("blockHash")
  return blockHash === undefined
    ? callWith("eth_getTransactionByBlockNumberAndIndex", [blockIn(options) ?? quoted("latest"), number(index)])
    : callWith("eth_getTransactionByBlockHashAndIndex", [hash(blockHash), number(index)])
}

const readStorage: Read = (options) => {
  const slot = options.get("slot")
  if (typeof slot !== "string" || !/^0x[\da-f]{1,64}$/i.test(slot)) throw new NotStatic("it has no storage slot in hex")
  return callWith("eth_getStorageAt", [address(options.get("address")), quoted(slot), stateIn(options)])
}

/** The members of a transaction, as the wire has them. */
const transactionOf = (options: Options, members: ReadonlyArray<readonly [name: string, text: string]>): string => {
  const account = options.get("account")
  const sender = isObject(account) ? account.get("address") : account
  const all = [
    ...(sender === undefined || sender === null ? [] : [["from", address(sender)] as const]),
    ...members,
    ...["value", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce"].flatMap((name) => {
      const value = options.get(name)
      return value === undefined ? [] : [[name, number(value)] as const]
    }),
  ]
  return `{ ${all.map(([name, text]) => `"${name}": ${text}`).join(", ")} }`
}

const targetOf = (options: Options): ReadonlyArray<readonly [string, string]> => {
  const [to, input] = [options.get("to"), options.get("data")]
  return [
    ...(to === undefined || to === null ? [] : [["to", address(to)] as const]),
    ...(input === undefined ? [] : [["data", data(input)] as const]),
  ]
}

const readCall: Read = (options) => callWith("eth_call", [transactionOf(options, targetOf(options)), stateIn(options)])

const readEstimate: Read = (options) => {
  const at = blockIn(options)
  const transaction = transactionOf(options, targetOf(options))
  return callWith("eth_estimateGas", at === undefined ? [transaction] : [transaction, at])
}

const readFeeHistory: Read = (options) => {
  const rewards = options.get("rewardPercentiles") ?? []
  const newest = blockIn(options) ?? quoted("latest")
  return callWith("eth_feeHistory", [number(options.get("blockCount")), newest, jsonOf(rewards)])
}

/** `readContract({ address, abi, functionName, args })`: the expression `call(…)` encodes the same arguments. */
const readContract: Read = (options) => {
  const name = options.get("functionName")
  const args = options.get("args") ?? []
  if (typeof name !== "string" || name.length > 200) throw new NotStatic("it names no function")
  if (!isArray(args)) throw new NotStatic("its arguments are not an array")
  const declared = declaredIn(options.get("abi"), "function", name)
  const [fit, ...others] = declared.filter(({ inputs }) => inputs.length === args.length)
  if (fit === undefined) {
    const what = declared.length === 0 ? "its ABI does not declare" : "it has too many or too few arguments for"
    throw new NotStatic(`${what} ${shown(name)}`)
  }
  if (others.length > 0) throw new NotStatic(`its ABI declares several functions named ${shown(name)}`)
  const words = [signatureOf(fit), ...args.map((arg, index) => argumentOf(arg, fit.inputs[index]))]
  const expression = `{{call(${words.map((word) => Json.stringify(word)).join(", ")})}}`
  const members = [["to", address(options.get("address"))] as const, ["data", expression] as const]
  return callWith("eth_call", [transactionOf(options, members), stateIn(options)])
}

/** An argument of `call(…)`: arrays and structs are JSON in a string. */
const argumentOf = (value: StaticValue, parameter: DeclaredParameter | undefined): string => {
  const text = isArray(value) || isObject(value) ? jsonOf(byPosition(value, parameter), "digits") : wordOf(value)
  if (/\{\{|\}\}/.test(text))
    throw new NotStatic("an argument contains {{ or }}, which are braces of an expression here")
  return text
}

const wordOf = (value: StaticValue): string => {
  if (typeof value === "string") return value
  if (typeof value === "bigint" || typeof value === "boolean") return String(value)
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value)
  throw new NotStatic("an argument is not a value that a contract takes")
}

/** Structs as arrays, in the order of their members. */
const byPosition = (value: StaticValue, parameter: DeclaredParameter | undefined): StaticValue => {
  if (isArray(value)) {
    const isList = parameter === undefined || parameter.type.endsWith("]")
    return value.map((item, index) => byPosition(item, isList ? parameter : parameter.members?.[index]))
  }
  if (!isObject(value)) return value
  const members = parameter?.members
  if (members === undefined) throw new NotStatic("an argument is an object, and its type is not a struct")
  return members.map((member) => byPosition(value.get(member.name), member))
}

/** `getLogs({ address, event, args, fromBlock, toBlock })` */
const readLogs: Read = (options) => {
  // What does not fit the event is left out by viem, after the reply.
  options.get("strict")
  const members: Array<string> = []
  for (const name of ["fromBlock", "toBlock"]) {
    const value = options.get(name)
    if (value !== undefined) members.push(`"${name}": ${block(value)}`)
  }
  const blockHash = options.get("blockHash")
  if (blockHash !== undefined) members.push(`"blockHash": ${hash(blockHash)}`)
  const from = options.get("address")
  if (from !== undefined)
    members.push(`"address": ${isArray(from) ? `[${from.map(address).join(", ")}]` : address(from)}`)
  const [one, several, args] = [options.get("event"), options.get("events"), options.get("args")]
  const topics =
    several === undefined
      ? one === undefined
        ? []
        : topicsOf(one, args)
      : isArray(several)
        ? [`[${several.map((item) => eventText(item)).join(", ")}]`]
        : [eventText(several)]
  if (one === undefined && args !== undefined) throw new NotStatic("its args have no event")
  if (topics.length > 0) members.push(`"topics": [${topics.join(", ")}]`)
  return callWith("eth_getLogs", [members.length === 0 ? "{}" : `{ ${members.join(", ")} }`])
}

const eventText = (item: StaticValue): string => `{{event(${quoted(signatureOf(eventOf(item)))})}}`

/** The topics of an event and of its indexed arguments, by their names or in their order. */
const topicsOf = (item: StaticValue, args: StaticValue): ReadonlyArray<string> => {
  const indexed = eventOf(item).inputs.filter(({ isIndexed }) => isIndexed)
  const given = indexed.map(({ name }, index) =>
    isObject(args) ? args.get(name) : isArray(args) ? args[index] : undefined,
  )
  const known = isObject(args) ? [...args.keys()].every((name) => indexed.some((entry) => entry.name === name)) : true
  if (!known) throw new NotStatic("one of its args is not an indexed argument of the event")
  const last = given.findLastIndex((value) => value !== undefined && value !== null)
  return [
    eventText(item),
    ...given.slice(0, last + 1).map((value, index) => topicOf(value, indexed[index]?.type ?? "")),
  ]
}

const topicOf = (value: StaticValue, type: string): string => {
  if (value === undefined || value === null) return "null"
  if (isArray(value)) return `[${value.map((item) => topicOf(item, type)).join(", ")}]`
  if (type === "bytes32") return hash(value)
  const digits =
    type === "address"
      ? /^"0x([\da-f]{40})"$/i.exec(address(value))?.[1]
      : type === "bool"
        ? value === true
          ? "1"
          : "0"
        : /^u?int\d*$/.test(type)
          ? hexOf(value).slice(2)
          : undefined
  if (digits === undefined || digits.length > 64)
    throw new NotStatic("one of its args is not an address, a number or 32 bytes")
  return quoted(`0x${digits.padStart(64, "0")}`)
}

/** https://viem.sh/docs/actions/public/introduction */
const actions: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["request", readRequest],
  ["call", readCall],
  ["estimateGas", readEstimate],
  ["getBalance", ofAccount("eth_getBalance")],
  ["getBlock", readBlock],
  ["getBlockNumber", plain("eth_blockNumber")],
  ["getBytecode", ofAccount("eth_getCode")],
  ["getChainId", plain("eth_chainId")],
  ["getCode", ofAccount("eth_getCode")],
  ["getFeeHistory", readFeeHistory],
  ["getGasPrice", plain("eth_gasPrice")],
  ["getLogs", readLogs],
  ["getStorageAt", readStorage],
  ["getTransaction", readTransaction],
  ["getTransactionCount", ofAccount("eth_getTransactionCount")],
  ["getTransactionReceipt", (options) => callWith("eth_getTransactionReceipt", [hash(options.get("hash"))])],
  ["readContract", readContract],
])
