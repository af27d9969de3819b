/** The messages of an Ethereum node about wrong params. Each function returns `undefined` when it finds nothing. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, type Network } from "@dotrpc/spec"
import { type Fault, invalidParams } from "../Fault.ts"

/** Too few or too many positional params. */
export const argumentsFault = (params: Json.Json, count: number): Fault | undefined => {
  if (!Json.isArray(params)) return invalidParams("non-array args")
  if (params.length > count) return invalidParams(`too many arguments, want at most ${count}`)
  const missing = Array.from({ length: count }, (_, index) => index).find((index) => (params[index] ?? null) === null)
  return missing === undefined ? undefined : invalidParams(`missing value for required argument ${missing}`)
}

/** A value that is not an address or a hash. */
export const fixedBytesFault = (
  value: Json.Json | undefined,
  index: number,
  type: "Address" | "Hash",
): Fault | undefined => {
  const digits = type === "Address" ? 40 : 64
  const problem = typeof value === "string" ? hexProblem(value) : "non-string"
  if (problem !== undefined)
    return invalidArgument(index, `json: cannot unmarshal ${problem} into Go value of type common.${type}`)
  const found = String(value).length - 2
  return found === digits
    ? undefined
    : invalidArgument(index, `hex string has length ${found}, want ${digits} for common.${type}`)
}

/** A storage position: the prefix may be absent and leading zeros are fine, but it fits in 32 bytes. */
export const storageKeyFault = (value: Json.Json | undefined): Fault | undefined => {
  if (typeof value !== "string") return undefined
  const digits = value.replace(/^0x/i, "")
  const shown = JSON.stringify(value.length <= 80 ? value : `${value.slice(0, 79)}…`)
  if (!/^[0-9a-f]*$/i.test(digits)) return invalidParams(`invalid hex in storage key: ${shown}`)
  return digits.length > 64 ? invalidParams(`storage key too long (want at most 32 bytes): ${shown}`) : undefined
}

/** A value that names no block here: neither a tag of this network nor a number as nodes write it. */
export const blockFault = (value: Json.Json | undefined, index: number, network: Network): Fault | undefined => {
  if (typeof value !== "string") return invalidArgument(index, "a block must be a hex number or a tag")
  if (blockTags.includes(value)) return tagFault(value, network)
  const problem = quantityProblem(value)
  return problem === undefined ? undefined : invalidArgument(index, problem)
}

/** A tag of the service that this network does not answer (service §9). */
export const tagFault = (value: Json.Json | undefined, { blockTags: known }: Network): Fault | undefined =>
  typeof value === "string" && known !== undefined && blockTags.includes(value) && !known.includes(value)
    ? invalidParams(`the tag "${value}" is not supported on this network, which takes ${known.join(", ")}`)
    : undefined

/** A log filter: exclusive members first, then addresses and topics, then the range, then the size. */
export const filterFault = (filter: Json.Json | undefined, limit: number, network: Network): Fault | undefined => {
  if (!Json.isObject(filter)) return undefined
  const { address, blockHash, fromBlock, toBlock, topics } = filter
  if (given(blockHash) && (given(fromBlock) || given(toBlock)))
    return invalidArgument(0, "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other")
  const problem = addressProblem(address) ?? topicsProblem(topics)
  if (problem !== undefined) return invalidArgument(0, problem)
  for (const block of [fromBlock, toBlock]) {
    const fault = given(block) ? blockFault(block, 0, network) : undefined
    if (fault !== undefined) return fault
  }
  if (isNumber(fromBlock) && isNumber(toBlock) && BigInt(fromBlock) > BigInt(toBlock)) return invalidBlockRange
  return filterSizeFault(filter, limit)
}

/** More addresses and topics than one request may name (service §8). */
export const filterSizeFault = (filter: Json.Json | undefined, limit: number): Fault | undefined => {
  if (!Json.isObject(filter)) return undefined
  const count =
    listOf(filter.address).length + listOf(filter.topics).reduce<number>((sum, topic) => sum + listOf(topic).length, 0)
  return count > limit
    ? invalidParams(`This query contains ${count} filters. The current limit is ${limit}.`)
    : undefined
}

/** The text of a query whose first block is after its last. */
export const invalidBlockRange = invalidParams("invalid block range params")

/** The text of a query that asks for blocks not built yet. */
export const beyondHead = invalidParams("block range extends beyond current head block")

const addressProblem = (address: Json.Json | undefined): string | undefined => {
  if (!given(address)) return undefined
  if (typeof address === "string") return prefixed("invalid address: ", bytesProblem(address, 20, "address"))
  if (!Json.isArray(address)) return "invalid addresses in query"
  for (const [index, item] of address.entries()) {
    if (typeof item !== "string") return `non-string address at index ${index}`
    const problem = bytesProblem(item, 20, "address")
    if (problem !== undefined) return `invalid address at index ${index}: ${problem}`
  }
  return undefined
}

const topicsProblem = (topics: Json.Json | undefined): string | undefined => {
  if (!given(topics)) return undefined
  if (!Json.isArray(topics)) return "invalid topic(s)"
  if (topics.length > 4) return "exceed max topics"
  for (const topic of topics.flat()) {
    if (topic === null) continue
    if (typeof topic !== "string") return "invalid topic(s)"
    const problem = bytesProblem(topic, 32, "topic")
    if (problem !== undefined) return problem
  }
  return undefined
}

const bytesProblem = (text: string, bytes: number, what: string): string | undefined => {
  const problem = hexProblem(text)
  if (problem !== undefined) return problem
  const length = text.length / 2 - 1
  return length === bytes ? undefined : `hex has invalid length ${length} after decoding; expected ${bytes} for ${what}`
}

const hexProblem = (text: string): string | undefined => {
  if (text === "") return "empty hex string"
  if (!/^0x/i.test(text)) return "hex string without 0x prefix"
  if (text.length % 2 === 1) return "hex string of odd length"
  return /^0x[0-9a-f]*$/i.test(text) ? undefined : "invalid hex string"
}

const quantityProblem = (text: string): string | undefined => {
  if (text === "") return "empty hex string"
  if (!/^0x/i.test(text)) return "hex string without 0x prefix"
  if (text.length === 2) return 'hex string "0x"'
  if (!/^0x[0-9a-f]+$/i.test(text)) return "invalid hex string"
  if (/^0x0./i.test(text)) return "hex number with leading zero digits"
  return text.length > 18 ? "hex number > 64 bits" : undefined
}

const blockTags: ReadonlyArray<string> = Evm.blockTags

const invalidArgument = (index: number, problem: string): Fault =>
  invalidParams(`invalid argument ${index}: ${problem}`)

const prefixed = (prefix: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : prefix + text

const given = (value: Json.Json | undefined): value is Exclude<Json.Json, null> => value !== undefined && value !== null

const isNumber = (value: Json.Json | undefined): value is string =>
  typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)

const listOf = (value: Json.Json | undefined): ReadonlyArray<Json.Json> =>
  Json.isArray(value) ? value : given(value) ? [value] : []
