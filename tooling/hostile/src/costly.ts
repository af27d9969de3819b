/** Results that fit their method, and take a reader that trusts them seconds or gigabytes. */
import type { Abi, DecodeContext, Json } from "@dotrpc/spec"
import { zstdCompressSync } from "node:zlib"
import { frame, step } from "./Results.ts"

export interface Costly {
  readonly name: string
  readonly method: string
  /** From a sound result of the method, if there is one. */
  readonly make: (sound: Json.JsonObject) => unknown
  readonly context?: DecodeContext | undefined
}

const million = 1_000_000
const address = `0x${"22".repeat(20)}`
const hash = `0x${"11".repeat(32)}`

const word = (value: number | bigint): string => value.toString(16).padStart(64, "0")

/** An array whose items are all the same bytes: so many offsets to one place. */
const oneForAll = (items: number, bytes: number): string =>
  `0x${word(32)}${word(items)}${word(items * 32).repeat(items)}${word(bytes)}${"61".repeat(bytes)}`

/** Arrays of arrays, ten offsets to one place in each. */
const nestedOffsets = (levels: number): string =>
  `0x${word(32)}${`${word(10)}${word(320).repeat(10)}`.repeat(levels - 1)}${word(10)}${word(1).repeat(10)}`

/** What a call that declares its outputs knows. */
const returning = (...outputs: ReadonlyArray<Json.JsonObject>): DecodeContext => ({
  sent: {
    params: [{ to: address, data: "0x26121ff0" }],
    meanings: [{ path: [0, "data"], meaning: { type: "function", name: "f", inputs: [], outputs } }],
  },
})

const anonymousEvent: Abi = [
  { type: "event", name: "E", anonymous: true, inputs: [{ name: "x", type: "string[]", indexed: false }] },
]

const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
const largestAccount = 10 * 1_024 * 1_024

const account = (data: ReadonlyArray<string>, space: number): object => ({
  data,
  executable: false,
  lamports: 1,
  owner: token2022,
  rentEpoch: 0,
  space,
})
const accounts = (count: number, data: ReadonlyArray<string>, space: number): ReadonlyArray<object> =>
  Array.from({ length: count }, () => ({ pubkey: token2022, account: account(data, space) }))

/** A kilobyte that unpacks to the largest account, which says that it is small. */
const unpacking = (): ReadonlyArray<string> => [
  zstdCompressSync(Buffer.alloc(largestAccount)).toString("base64"),
  "base64+zstd",
]

/** A token account with as many extensions as four bytes each allow. */
const extensions = (size: number): ReadonlyArray<string> => {
  const bytes = Buffer.alloc(size)
  bytes[108] = 1
  bytes[165] = 2
  for (let at = 166; at + 4 < size; at += 4) bytes[at] = 99
  return [bytes.toString("base64"), "base64"]
}

const compact = (length: number): ReadonlyArray<number> =>
  length < 128 ? [length] : [(length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14]

const transaction = (instructions: number, bytes: number): ReadonlyArray<string> => {
  const instruction = Buffer.concat([Buffer.from([0, 0, ...compact(bytes)]), Buffer.alloc(bytes, 255)])
  const head = [1, ...Buffer.alloc(64, 7), 1, 0, 0, 1, ...Buffer.alloc(64, 9), ...compact(instructions)]
  return [
    Buffer.concat([Buffer.from(head), ...Array<Buffer>(instructions).fill(instruction)]).toString("base64"),
    "base64",
  ]
}

const list = <A>(length: number, item: A): ReadonlyArray<A> => Array<A>(length).fill(item)
const inContext = (value: ReadonlyArray<object>): object => ({ context: { slot: 1 }, value })

export const costly: ReadonlyArray<Costly> = [
  {
    name: "a million tips",
    method: "eth_feeHistory",
    make: (sound) => ({ ...sound, reward: [list(million, "0x1")] }),
  },
  {
    name: "a million blocks",
    method: "eth_feeHistory",
    make: (sound) => ({ ...sound, gasUsedRatio: list(million, 0.5), baseFeePerGas: list(million, "0x1") }),
  },
  {
    name: "a million transactions",
    method: "eth_getBlockByNumber",
    make: (sound) => ({ ...sound, transactions: list(million, hash) }),
  },
  { name: "300,000 calls", method: "debug_traceTransaction", make: () => frame({ calls: list(300_000, frame()) }) },
  {
    name: "900 calls inside each other",
    method: "debug_traceTransaction",
    make: () => list(900, 0).reduce<object>((inner) => frame({ calls: [inner] }), frame()),
  },
  {
    name: "instructions at any depth",
    method: "debug_traceTransaction",
    make: () => ({ structLogs: list(100_000, { pc: 1, op: "A".repeat(1_000), gas: 1, gasCost: 1, depth: 1e300 }) }),
  },
  { name: "a place of a million steps", method: "trace_block", make: () => [step({ traceAddress: list(million, 0) })] },
  {
    name: "strings that are all in one place",
    method: "eth_call",
    make: () => oneForAll(8_000, 100_000),
    context: returning({ name: "x", type: "string[]" }),
  },
  {
    name: "arrays that are all in one place",
    method: "eth_call",
    make: () => nestedOffsets(12),
    context: returning({ name: "x", type: `uint256${"[]".repeat(12)}` }),
  },
  {
    name: "two billion items of no size",
    method: "eth_call",
    make: () => `0x${word(32)}${word(2 ** 31)}`,
    context: returning({ name: "x", type: "tuple[]", components: [] }),
  },
  {
    name: "an array of a billion items",
    method: "eth_call",
    make: () => `0x${word(32)}`,
    context: returning({ name: "x", type: "uint256[999999999]" }),
  },
  {
    name: "a type of 100,000 brackets",
    method: "eth_call",
    make: () => `0x${word(32)}`,
    context: returning({ name: "x", type: `uint256${"[]".repeat(100_000)}` }),
  },
  { name: "32 MB of words", method: "eth_call", make: () => `0x${"11".repeat(32 * million)}` },
  {
    name: "logs with strings in one place",
    method: "eth_getLogs",
    make: () =>
      list(200, {
        removed: false,
        logIndex: "0x0",
        transactionIndex: "0x0",
        transactionHash: hash,
        blockHash: hash,
        blockNumber: "0x1",
        address,
        data: oneForAll(1_000, 20_000),
        topics: [],
      }),
    context: { abi: anonymousEvent },
  },
  { name: "accounts that unpack", method: "getProgramAccounts", make: () => accounts(200, unpacking(), 165) },
  {
    name: "token accounts that unpack",
    method: "getTokenAccountsByDelegate",
    make: () => inContext(accounts(200, unpacking(), 165)),
  },
  {
    name: "accounts that unpack, and say so",
    method: "getMultipleAccounts",
    make: () => inContext(list(200, account(unpacking(), largestAccount))),
  },
  {
    name: "a million extensions",
    method: "getTokenAccountsByOwner",
    make: () => inContext(accounts(8, extensions(500_000), 500_000)),
  },
  { name: "long base58", method: "getProgramAccounts", make: () => accounts(200, ["2".repeat(4_096), "base58"], 165) },
  {
    name: "instructions without end",
    method: "getTransaction",
    make: (sound) => ({ ...sound, transaction: transaction(2_000, 1_232) }),
  },
  {
    name: "balances of a million accounts",
    method: "getTransaction",
    make: (sound) => ({
      ...sound,
      meta: { ...(sound.meta as object), preBalances: list(million, 1), postBalances: list(million, 2) },
    }),
  },
  {
    name: "transactions of long instructions",
    method: "getBlock",
    make: (sound) => ({ ...sound, transactions: list(1_000, { transaction: transaction(3, 1_232), meta: null }) }),
  },
]
