import { defineNetwork, Json, recognised, type RpcReason, type ServerFailure } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"
import { entryOf, golden } from "./golden.ts"

const method = TokenAccounts.GetTokenAccountsByDelegate
const network = defineNetwork({ id: "accounts", plugin: "token-accounts" })
const delegate = '"4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"'
const mint = '{"mint":"3wyAj7Rt1TWVPZVteFJPLa26JmLvdb1CAKEFZm3NY75E"}'
const program = '{"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"}'

const checkAccepted = (params: string) =>
  it(`accepts ${params}`, () => expect(method.issues(Json.parse(params), network)).toEqual([]))

const checkIssue = (params: string, path: ReadonlyArray<string | number>, message: string, fix: object = {}) =>
  it(`${params}: ${message}`, () =>
    expect(method.issues(Json.parse(params), network)).toEqual([{ path, message, ...fix }]))

const note = (encoding: string) =>
  `encoding "${encoding}" was added: the service's default, base58, fails for accounts over 128 bytes`

const checkPrepared = (what: string, params: string, sent: string, expected?: string) =>
  it(`sends ${what}`, () => {
    const prepared = method.prepare(Json.parse(params), network)
    expect(Json.stringify(prepared.params)).toBe(sent)
    expect(prepared.note).toBe(expected)
  })

const accepts = (what: string, value: Json.Json) =>
  it(`accepts ${what}`, () => expect(method.resultIssue(value)).toBeUndefined())

const refuses = (what: string, value: Json.Json, path: ReadonlyArray<string | number>) =>
  it(`refuses ${what}`, () => expect(method.resultIssue(value)?.path).toEqual(path))

const checkClass = (
  failure: Partial<ServerFailure> & { readonly message: string },
  tag: RpcReason.ReasonTag | undefined,
  detail: object = {},
) =>
  it(`HTTP ${failure.httpStatus ?? 200}, ${failure.rpcCode ?? "no code"} "${failure.message}" is ${tag ?? "left to its status and code"}`, () => {
    const reason = recognised(method, { httpStatus: 200, ...failure })
    expect(reason?._tag).toBe(tag)
    expect(reason ?? {}).toMatchObject(detail)
  })

describe("the method value", () => {
  it("costs what the service publishes", () => expect(method.price).toEqual({ credits: 160, assumed: false }))
  it("may be sent twice", () => expect(method.idempotent).toBe(true))
  it("names its three positions", () => expect(method.positions).toEqual(["delegate", "accountDetails", "config"]))
  for (const example of method.examples)
    it(`has a valid example: ${example.title}`, () => expect(method.issues(example.params, network)).toEqual([]))
  it("is part of the plugin", () => {
    expect(TokenAccounts.plugin.methods[0]).toBe(method)
    expect(TokenAccounts.plugin.networks.map((preset) => [preset.id, preset.url])).toEqual([
      ["solana-mainnet", undefined],
      ["solana-devnet", undefined],
      ["solana-testnet", undefined],
    ])
  })
})

describe("params that may be sent", () => {
  checkAccepted(`[${delegate}, ${mint}]`)
  checkAccepted(`[${delegate}, ${program}]`)
  checkAccepted(`[${delegate}, ${mint}, {}]`)
  for (const encoding of ["base58", "base64", "base64+zstd", "jsonParsed"])
    checkAccepted(`[${delegate}, ${mint}, {"encoding":"${encoding}"}]`)
  for (const commitment of ["finalized", "confirmed", "processed"])
    checkAccepted(`[${delegate}, ${mint}, {"commitment":"${commitment}"}]`)
  checkAccepted(`[${delegate}, ${mint}, {"minContextSlot":18446744073709551615}]`)
  checkAccepted(`[${delegate}, ${mint}, {"dataSlice":{"offset":0,"length":0}}]`)
  checkAccepted(`[${delegate}, ${mint}, {"encoding":"base58","dataSlice":{"offset":64,"length":8}}]`)
})

describe("params that are wrong are explained where they are wrong", () => {
  const key = "expected a base58 key of 32 bytes, found"

  checkIssue(`["", ${mint}]`, [0], `${key} 0 bytes`)
  checkIssue(`["2", ${mint}]`, [0], `${key} 1 byte`)
  checkIssue(`["4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4", ${mint}]`, [0], `${key} 31 bytes`)
  checkIssue(`["4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4TT", ${mint}]`, [0], `${key} 33 bytes`)
  checkIssue(`["0x5fbdb2", ${mint}]`, [0], `${key} "0" at offset 0, which base58 does not use`)
  checkIssue(`["${"2".repeat(300)}", ${mint}]`, [0], `${key} 300 characters`)
  checkIssue(`[5, ${mint}]`, [0], "expected a base58 key of 32 bytes, found 5")
  checkIssue(`[${delegate}, {"mint":"abc"}]`, [1, "mint"], `${key} 3 bytes`)
  checkIssue(`[${delegate}]`, [1], "position 1 is missing")
  checkIssue(`[${delegate}, {}]`, [1], 'give "mint" or "programId", found neither')
  checkIssue(
    `[${delegate}, {"mint":${delegate},"programId":${delegate}}]`,
    [1, "programId"],
    'give one of "mint" and "programId", found both',
  )
  checkIssue(
    `[${delegate}, {"programID":${delegate}}]`,
    [1, "programID"],
    'unknown member "programID"; did you mean "programId"?',
    {
      renameTo: "programId",
    },
  )
  checkIssue(
    `[${delegate}, ${mint}, {"encodng":"base64"}]`,
    [2, "encodng"],
    'unknown member "encodng"; did you mean "encoding"?',
    {
      renameTo: "encoding",
    },
  )
  checkIssue(
    `[${delegate}, ${mint}, {"encoding":"hex"}]`,
    [2, "encoding"],
    'expected "base58" or "base64" or "base64+zstd" or "jsonParsed", found "hex"',
  )
  checkIssue(
    `[${delegate}, ${mint}, {"commitment":"final"}]`,
    [2, "commitment"],
    'expected "finalized" or "confirmed" or "processed", found "final"',
  )
  checkIssue(
    `[${delegate}, ${mint}, {"encoding":"jsonParsed","dataSlice":{"offset":0,"length":8}}]`,
    [2, "encoding"],
    '"dataSlice" is only valid with "base58", "base64" or "base64+zstd", found "jsonParsed"',
    { replaceWith: "base64" },
  )
  checkIssue(`[${delegate}, ${mint}, {"dataSlice":{"offset":0}}]`, [2, "dataSlice", "length"], '"length" is missing')
  for (const slot of ["-1", "1.5", "18446744073709551616", '"5"'])
    checkIssue(
      `[${delegate}, ${mint}, {"minContextSlot":${slot}}]`,
      [2, "minContextSlot"],
      `expected a whole number from 0 to 18446744073709551615, found ${slot}`,
    )
  checkIssue(`[${delegate}, ${mint}, {}, 1]`, [3], "too many params: position 3 is not used")
  checkIssue("{}", [], "expected an array, found {}")
})

describe("an encoding that works is sent when none is given", () => {
  checkPrepared(
    "jsonParsed without a config",
    `[${delegate},${mint}]`,
    `[${delegate},${mint},{"encoding":"jsonParsed"}]`,
    note("jsonParsed"),
  )
  checkPrepared(
    "jsonParsed beside other members, exact to the digit",
    `[${delegate},${mint},{"minContextSlot":18446744073709551615}]`,
    `[${delegate},${mint},{"minContextSlot":18446744073709551615,"encoding":"jsonParsed"}]`,
    note("jsonParsed"),
  )
  checkPrepared(
    "base64 with a slice",
    `[${delegate},${mint},{"dataSlice":{"offset":0,"length":8}}]`,
    `[${delegate},${mint},{"dataSlice":{"offset":0,"length":8},"encoding":"base64"}]`,
    note("base64"),
  )
  checkPrepared(
    "and one that is given is left alone",
    `[${delegate},${mint},{"encoding":"base58"}]`,
    `[${delegate},${mint},{"encoding":"base58"}]`,
  )
})

describe("results", () => {
  const account = golden("approved")
  const result = (data: Json.Json): Json.Json => ({
    context: { slot: 31, apiVersion: "4.1.2" },
    value: [entryOf(account, data)],
  })
  accepts("parsed data", result(account.parsed))
  accepts("base64", result([account.base64, "base64"]))
  accepts("zstd", result([account.zstd, "base64+zstd"]))
  accepts("legacy base58", result("2tqWu4geVyGrqSEaGLLPggRJjErvZCfPc8a4oHi1A2bN"))
  accepts("an empty list", { context: { slot: 18446744073709551615n }, value: [] })
  accepts("members it does not know", { context: { slot: 1, region: "eu" }, value: [], more: true })
  accepts(
    "a rent epoch that a proxy rounded",
    Json.parse(Json.stringify(result(account.parsed)).replace("551615", "552000")),
  )
  accepts(
    "a fraction written out",
    Json.parse(Json.stringify(result(account.parsed)).replace('"uiAmount":1.5', '"uiAmount":1.50')),
  )

  refuses("a bare list", [], [])
  refuses("a result without a context", { value: [] }, ["context"])
  refuses("an entry without its account", { context: { slot: 1 }, value: [{ pubkey: "x" }] }, ["value", 0, "account"])
})

describe("the server's errors", () => {
  checkClass({ rpcCode: -32005, message: "Node is behind by 42 slots" }, "NodeBehind", { retryable: true })
  checkClass({ rpcCode: -32005, message: "Node is unhealthy", httpStatus: 503 }, "NodeBehind")
  checkClass({ rpcCode: -32005, message: "project ID request rate exceeded", httpStatus: 429 }, "RateLimited")
  checkClass({ rpcCode: -32005, message: "project ID request rate exceeded" }, "RateLimited")
  checkClass({ rpcCode: -32007, message: "50/second request limit reached" }, "RateLimited")
  checkClass({ rpcCode: -32012, message: "credits limited to 6000/sec" }, "RateLimited")
  checkClass({ rpcCode: -32007, message: "Slot 12 was skipped", httpStatus: 429 }, "RateLimited")
  checkClass({ rpcCode: -32005, message: "daily credits used up", httpStatus: 402 }, undefined)
  checkClass({ rpcCode: -32016, message: "Minimum context slot has not been reached" }, "NodeBehind", {
    said: "Minimum context slot has not been reached",
  })
  checkClass(
    { rpcCode: -32016, message: "Minimum context slot has not been reached", data: { contextSlot: 31 } },
    "NodeBehind",
    { said: "Minimum context slot has not been reached (the node is at slot 31)" },
  )
  checkClass({ rpcCode: -32602, message: "Invalid param: could not find mint" }, "NotFound")
  checkClass({ rpcCode: -32602, message: "Invalid param: not a Token mint" }, "InvalidParams", {
    advice: 'Give the address of a mint account as "mint".',
  })
  checkClass({ rpcCode: -32602, message: "Invalid param: unrecognized Token program id" }, "InvalidParams", {
    advice: expect.stringContaining("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
  })
  checkClass({ rpcCode: -32602, message: "Invalid param: WrongSize" }, undefined)
  checkClass(
    {
      rpcCode: -32600,
      message: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
    },
    "InvalidParams",
    { advice: expect.stringContaining('"encoding": "base64"') },
  )
  checkClass({ rpcCode: -32600, message: "Invalid request" }, undefined)
  checkClass({ rpcCode: -32601, message: "Method not found" }, "Unsupported", { lacks: "method" })
  checkClass({ message: "Bad Gateway", httpStatus: 502 }, "Transport")
})
