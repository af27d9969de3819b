/** What each action of viem sends, by its options, as far as they are static. */
import { Json } from "@dotrpc/spec"
import { declaredIn, type DeclaredParameter, eventOf, signatureOf } from "./abiText.ts"
import type { ConvertedCall, ConvertedUrl } from "./Converted.ts"
import type { ScriptNode } from "./script.ts"
import {
  hexOf,
  isArray,
  isObject,
  NotStatic,
  shown,
  type StaticObject,
  type StaticValue,
  type StaticValues,
} from "./staticValues.ts"

/** Where a client sends its calls, as far as the script says. */
export interface Client {
  readonly isCreated: boolean
  readonly url: ConvertedUrl
}

/** A call of a client. */
export interface Action {
  readonly name: string
  readonly client: Client
  readonly args: ReadonlyArray<ScriptNode | undefined>
}

export const isAction = (name: string): boolean => actions.has(name)

/** The request that a call sends. Throws {@link NotStatic} where that is not known without running the script. */
export const callOf = ({ args, client, name }: Action, values: StaticValues): ConvertedCall => {
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
