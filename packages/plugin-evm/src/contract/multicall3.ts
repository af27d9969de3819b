/**
 * Several `eth_call`s as one call of Multicall3, a contract that makes them in turn and returns the result of each. It has
 * the same address on most chains: https://www.multicall3.com.
 *
 * Limits: the contract is `msg.sender` of the calls, so a call with `from` goes alone, and the result of a call without it is expected
 * not to depend on the sender; if the result contains the contract's address, the call is made again alone. The data of a revert is
 * exact; the cause of a failure without data is unknown, so that call goes alone.
 */
import { Json, type Multicall, type MulticallEntry, type Network } from "@dotrpc/spec"
import * as Redacted from "effect/Redacted"
import { readRevert } from "../abi/decodeRevert.ts"
import { panicWords } from "../abi/panicWords.ts"

/** In lower case. */
export const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11"

export const multicall3: Multicall = {
  groupOf: (params, network) => {
    const found = callIn(params)
    const block = found === undefined ? undefined : blockOf(found.block)
    if (found === undefined || block === undefined || found.to === MULTICALL3) return undefined
    const since = creationOn(network)
    if (since === "elsewhere" || (typeof block.at === "bigint" && since !== undefined && block.at < since))
      return undefined
    return {
      key: block.key,
      bytes: entryBytes + paddedDigits(found.data) / 2,
      known: since !== undefined && (block.at !== "hash" || since === 0n),
      block: block.at,
    }
  },
  join: (calls) => {
    const found = calls.map((params) => callIn(params)).filter((call) => call !== undefined)
    const block = Json.isArray(calls[0]) ? (calls[0][1] ?? "latest") : "latest"
    return [{ to: MULTICALL3, data: encode(found) }, block]
  },
  split,
}

const OWN_NAME = MULTICALL3.slice(2)

/** `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const AGGREGATE3 = "0x82ad56cb"

interface PlainCall {
  readonly to: string
  /** Digits without `0x`. */
  readonly data: string
  readonly block: Json.Json
}

/** The call, if it has only an account and data. */
const callIn = (params: Json.Json): PlainCall | undefined => {
  if (!Json.isArray(params)) return undefined
  const [call, block = "latest", ...overrides] = params
  if (!Json.isObject(call) || overrides.some(isGiven)) return undefined
  const { data, input, to, ...others } = call
  if (typeof to !== "string" || Object.values(others).some(isGiven)) return undefined
  const bytes = input ?? data ?? "0x"
  if (typeof bytes !== "string" || (isGiven(input) && isGiven(data) && input !== data)) return undefined
  return { to: to.toLowerCase(), data: bytes.slice(2).toLowerCase(), block: block ?? "latest" }
}

const isGiven = (value: Json.Json | undefined): boolean => value !== undefined && value !== null

type Place = bigint | "tag" | "hash"

/** A hash may name a block that is older than the contract. `earliest` always does, except on sample chains. */
const blockOf = (block: Json.Json): { readonly key: string; readonly at: Place } | undefined => {
  const key = Json.stringify(block).toLowerCase()
  if (Json.isObject(block))
    return isGiven(block.blockHash) ? { key, at: "hash" } : numbered(key, block.blockNumber ?? null)
  if (typeof block !== "string") return undefined
  if (block.length === 66) return { key, at: "hash" }
  if (block === "earliest") return { key, at: 0n }
  return block.startsWith("0x") ? numbered(key, block) : { key, at: "tag" }
}

const numbered = (key: string, number: Json.Json): { readonly key: string; readonly at: Place } | undefined =>
  typeof number === "string" && number.length <= longestNumber ? { key, at: BigInt(number) } : undefined

const longestNumber = 18

/** The block that created the contract; `undefined` if unknown, `"elsewhere"` if it has another address. */
const creationOn = ({ chainId, url }: Network): bigint | "elsewhere" | undefined => {
  if (url !== undefined && Redacted.value(url).startsWith("embedded:")) return 0n
  if (chainId === undefined) return undefined
  return chainId === zksync ? "elsewhere" : creations.get(chainId)
}

const zksync = 324

/** By chain, from the contract's list of deployments and block explorers. */
const creations: ReadonlyMap<number, bigint> = new Map([
  [1, 14_353_601n],
  [10, 4_286_263n],
  [14, 3_002_461n],
  [25, 1_963_112n],
  [30, 4_249_540n],
  [56, 15_921_452n],
  [97, 17_422_483n],
  [100, 21_022_491n],
  [130, 0n],
  [137, 25_770_160n],
  [146, 60n],
  [169, 332_890n],
  [196, 47_416n],
  [204, 512_881n],
  [250, 33_001_987n],
  [288, 446_859n],
  [480, 0n],
  [1_088, 2_338_552n],
  [1_101, 57_746n],
  [1_284, 609_002n],
  [1_285, 1_597_904n],
  [1_868, 1n],
  [5_000, 304_717n],
  [5_003, 4_584_012n],
  [8_217, 96_002_415n],
  [8_453, 5_022n],
  [34_443, 2_465_882n],
  [42_161, 7_654_707n],
  [42_170, 1_746_963n],
  [42_220, 13_112_599n],
  [43_113, 7_096_959n],
  [43_114, 11_907_934n],
  [57_073, 0n],
  [59_141, 227_427n],
  [59_144, 42n],
  [80_002, 3_127_388n],
  [80_094, 0n],
  [81_457, 212_929n],
  [84_532, 1_059_647n],
  [167_000, 11_269n],
  [421_614, 81_930n],
  [534_351, 9_473n],
  [534_352, 14n],
  [560_048, 2_589n],
  [7_777_777, 5_882n],
  [11_155_111, 751_532n],
  [11_155_420, 1_620_204n],
])

/** The bytes of an entry without its data: its offset, and target, flag, offset and length. */
const entryBytes = 5 * 32
const digitsOfWord = 64

const paddedDigits = ({ length }: string): number => Math.ceil(length / digitsOfWord) * digitsOfWord

const word = (value: number): string => value.toString(16).padStart(digitsOfWord, "0")

const encode = (calls: ReadonlyArray<PlainCall>): string => {
  let next = calls.length * 32
  const offsets: Array<string> = []
  const entries: Array<string> = []
  for (const { data, to } of calls) {
    const padded = paddedDigits(data)
    offsets.push(word(next))
    entries.push(
      to.slice(2).padStart(digitsOfWord, "0"),
      word(1),
      word(3 * 32),
      word(data.length / 2),
      data.padEnd(padded, "0"),
    )
    next += 4 * 32 + padded / 2
  }
  return [AGGREGATE3, word(32), word(calls.length), ...offsets, ...entries].join("")
}

/**
 * Reads `(bool success, bytes returnData)[]`. Only the one layout that the contract writes is accepted, each entry where the last
 * one ends: entries of a hostile reply neither overlap nor lie outside it, so what is read is no longer than the reply.
 */
function split(result: Json.Json, count: number): ReadonlyArray<MulticallEntry> | undefined {
  if (typeof result !== "string" || !result.startsWith("0x") || result.length % digitsOfWord !== 2) return undefined
  const at = (index: number): number => numberIn(result, 2 + index * digitsOfWord)
  const words = (result.length - 2) / digitsOfWord
  if (words < 2 + count || at(0) !== 32 || at(1) !== count) return undefined
  const entries: Array<MulticallEntry> = []
  let next = count
  for (let index = 0; index < count; index++) {
    const start = 2 + next
    if (at(2 + index) !== next * 32 || start + 3 > words || at(start + 1) !== 64) return undefined
    const [success, bytes] = [at(start), at(start + 2)]
    const taken = Math.ceil(bytes / 32)
    if ((success !== 0 && success !== 1) || !(start + 3 + taken <= words)) return undefined
    const begin = 2 + (start + 3) * digitsOfWord
    const data = `0x${result.slice(begin, begin + 2 * bytes)}` as const
    // A result that contains the address of the contract depends on the sender.
    if (data.includes(OWN_NAME)) entries.push({ _tag: "Alone" })
    else entries.push(success === 1 ? { _tag: "Result", result: data } : failed(data))
    next += 3 + taken
  }
  return 2 + next === words ? entries : undefined
}

/** The word that begins here, if a reply can have that many bytes; else `NaN`. */
const numberIn = (text: string, start: number): number => {
  let value = 0
  for (let index = start; index < start + digitsOfWord; index++) {
    const code = text.charCodeAt(index)
    const digit =
      code >= 48 && code <= 57 ? code - 48 : (code | 32) >= 97 && (code | 32) <= 102 ? (code | 32) - 87 : NaN
    value = value * 16 + digit
  }
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/** The error in the words of a node for a separate call. */
const failed = (data: `0x${string}`): MulticallEntry => {
  if (data === "0x") return { _tag: "Alone" }
  const reason = reasonOf(data)
  const message = reason === undefined ? "execution reverted" : `execution reverted: ${reason}`
  return { _tag: "Error", code: 3, message, data }
}

const reasonOf = (data: Json.Json): string | undefined => {
  const revert = readRevert(data, [])?.revert
  if (revert === undefined) return undefined
  const [value] = Object.values(revert.args)
  if (revert.error === "Error") return typeof value === "string" ? value : undefined
  return panicWords(BigInt(String(value)))
}
