import { defineNetwork, Json, recognised, type RpcReason, type ServerFailure, wireName } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const method = L2Events.GetEvents
const network = defineNetwork({ id: "l2", plugin: "l2-events" })

/** A filter with everything required, and what is given here. */
const filter = (members: string) =>
  `{"filter":{"from_block":{"block_number":0},"to_block":"latest","chunk_size":100${members === "" ? "" : `,${members}`}}}`

const from = (block: string) => `{"filter":{"from_block":${block},"to_block":"latest","chunk_size":100}}`

const chunk = (size: string) => `{"filter":{"from_block":"latest","to_block":"latest","chunk_size":${size}}}`

const checkAccepted = (params: string) =>
  it(`accepts ${params}`, () => expect(method.issues(Json.parse(params), network)).toEqual([]))

const checkIssue = (params: string, path: ReadonlyArray<string | number>, message: string, fix: object = {}) =>
  it(`explains ${params}`, () =>
    expect(method.issues(Json.parse(params), network)).toEqual([{ path, message, ...fix }]))

const event = { data: ["0x1"], from_address: "0x4", keys: ["0x9"], transaction_hash: "0x5" }

const checkResult = (what: string, value: Json.Json, path: ReadonlyArray<string | number> | undefined) =>
  it(`${path === undefined ? "accepts" : "refuses"} ${what}`, () =>
    expect(method.resultIssue(value)?.path).toEqual(path))

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
  it("costs what is assumed, and says so", () => expect(method.price).toEqual({ credits: 80, assumed: true }))
  for (const example of method.examples)
    it(`has a valid example: ${example.title}`, () => expect(method.issues(example.params, network)).toEqual([]))
  it("is sent under the word of its network", () => {
    expect(wireName(method, network)).toBe("l2_getEvents")
    expect(L2Events.plugin.networks.map((preset) => [preset.id, wireName(method, preset), preset.url])).toEqual([
      ["starknet-mainnet", "starknet_getEvents", undefined],
      ["starknet-sepolia", "starknet_getEvents", undefined],
    ])
  })
})

describe("params that may be sent", () => {
  for (const block of ['"latest"', '"pending"', '{"block_number":18446744073709551615}', '{"block_hash":"0x04C"}'])
    checkAccepted(from(block))
  checkAccepted(filter('"address":"0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7"'))
  for (const keys of ["[]", "[[]]", '[["0x1"]]', '[[],["0x1","0x2"]]']) checkAccepted(filter(`"keys":${keys}`))
  checkAccepted(filter('"address":["0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7","0x1"]'))
  checkAccepted('{"filter":{"chunk_size":1}}')
  for (const member of ["from_block", "to_block", "address", "keys", "continuation_token"])
    checkAccepted(`{"filter":{"chunk_size":1,"${member}":null}}`)
  checkAccepted('{"filter":{"from_block":"latest","chunk_size":1}}')
  checkAccepted(filter('"continuation_token":"12-0"'))
  checkAccepted(chunk("1"))
  checkAccepted(chunk("10240"))
})

describe("params that are wrong are explained, with what would be right", () => {
  const block =
    'expected "latest", "pre_confirmed", "l1_accepted", "pending", {"block_number": …} or {"block_hash": …}, found'
  const at = ["filter", "from_block"]
  checkIssue(from("100"), at, `${block} 100`, { replaceWith: { block_number: 100 } })
  checkIssue(from("18446744073709551615"), at, `${block} 18446744073709551615`, {
    replaceWith: { block_number: 18446744073709551615n },
  })
  checkIssue(from("-1"), at, `${block} -1`)
  checkIssue(from("1.5"), at, `${block} 1.5`)
  const tag = 'expected "latest" or "pre_confirmed" or "l1_accepted" or "pending", found'
  checkIssue(from('"lates"'), at, `${tag} "lates"`, { replaceWith: "latest" })
  checkIssue(from('"earliest"'), at, `${tag} "earliest"`, { replaceWith: { block_number: 0 } })
  checkIssue(from('"0x64"'), at, `${tag} "0x64"`, { replaceWith: { block_number: 100 } })
  checkIssue(from('"100"'), at, `${tag} "100"`, { replaceWith: { block_number: 100 } })
  checkIssue(from('"finalized"'), at, `${tag} "finalized"`)
  const hash = `0x${"ab".repeat(31)}`
  checkIssue(from(`"${hash}"`), at, `${tag} "${hash}"`, { replaceWith: { block_hash: hash } })
  checkIssue(from("{}"), at, 'give "block_number" or "block_hash", found neither')
  checkIssue(
    from('{"block_number":1,"block_hash":"0x1"}'),
    at,
    'give one of "block_number" and "block_hash", found both',
  )
  checkIssue(
    from('{"block_nmber":1}'),
    [...at, "block_nmber"],
    'unknown member "block_nmber"; did you mean "block_number"?',
    { renameTo: "block_number" },
  )
  checkIssue(
    from('{"block_number":"0x1"}'),
    [...at, "block_number"],
    'expected a whole number from 0 to 18446744073709551615, found "0x1"',
  )
  checkIssue(
    from('{"block_hash":"1"}'),
    [...at, "block_hash"],
    'expected a felt ("0x" and up to 64 hex digits), found "1"',
  )
  checkIssue(
    filter('"keys":["0x1"]'),
    ["filter", "keys", 0],
    'expected an array of felts (the values accepted at this position), found "0x1"',
    { replaceWith: ["0x1"] },
  )
  checkIssue(filter('"keys":"0x1"'), ["filter", "keys"], 'expected an array of arrays of felts, found "0x1"', {
    replaceWith: [["0x1"]],
  })
  checkIssue(
    filter('"keys":[[],["0x1",2]]'),
    ["filter", "keys", 1, 1],
    'expected a felt ("0x" and up to 64 hex digits), found 2',
    { replaceWith: "0x2" },
  )
  checkIssue(
    filter('"address":"0x"'),
    ["filter", "address"],
    'expected a felt ("0x" and up to 64 hex digits), found "0x"',
  )
  for (const size of ["0", "-1", "1.5", '"100"'])
    checkIssue(
      chunk(size),
      ["filter", "chunk_size"],
      `expected a whole number from 1 to 18446744073709551615, found ${size}`,
    )
  checkIssue(
    filter("").replace(/\}$/, ',"continuation_token":"12-0"}'),
    ["continuation_token"],
    'expected "continuation_token" to be moved into "filter", found "12-0"',
  )
  checkIssue(
    filter('"contnuation_token":"x"'),
    ["filter", "contnuation_token"],
    'unknown member "contnuation_token"; did you mean "continuation_token"?',
    { renameTo: "continuation_token" },
  )
  checkIssue("[]", [], 'expected params by name, {"filter": …}, found []')
  checkIssue('[{"chunk_size":1}]', [], 'expected params by name, {"filter": …}, found [{"chunk_size":1}]', {
    replaceWith: { filter: { chunk_size: 1 } },
  })
  checkIssue("{}", ["filter"], '"filter" is missing')
})

describe("a tag that the network does not answer", () => {
  const latestOnly = defineNetwork({ id: "near-head", plugin: "l2-events", blockTags: ["latest"] })
  it("is an issue that says what it answers", () =>
    expect(method.issues(Json.parse(from('"pending"')), latestOnly)).toEqual([
      {
        path: ["filter", "from_block"],
        message: 'network near-head does not know the tag "pending"; give "latest", a block number or hash',
      },
    ]))
  it("leaves the others alone", () => expect(method.issues(Json.parse(from('"latest"')), latestOnly)).toEqual([]))
})

describe("results", () => {
  checkResult("an empty page with a token", { events: [], continuation_token: "12-0" }, undefined)
  checkResult("an event of a block", { events: [{ ...event, block_hash: "0x1", block_number: 7 }] }, undefined)
  checkResult("a pending event", { events: [event] }, undefined)
  checkResult("members it does not know", { events: [{ ...event, event_index: 1 }], more: 1 }, undefined)
  checkResult("a bare list", [], [])
  checkResult("a page without events", {}, ["events"])
  checkResult("keys that are not hex", { events: [{ ...event, keys: ["9"] }] }, ["events", 0, "keys", 0])
})

describe("pages", () => {
  const params = Json.parse(filter('"keys":[["0x1"]]'))
  it("put the token into the filter and keep the rest", () =>
    expect(Json.stringify(method.pages?.next(params, { events: [], continuation_token: "12-0" }) ?? null)).toBe(
      filter('"keys":[["0x1"]],"continuation_token":"12-0"'),
    ))
  it("replace the token of the page before", () =>
    expect(
      method.pages?.next(Json.parse(filter('"continuation_token":"1"')), { events: [event], continuation_token: "2" }),
    ).toEqual(Json.parse(filter('"continuation_token":"2"'))))
  it("end where there is no token", () => expect(method.pages?.next(params, { events: [event] })).toBeUndefined())
  it("join into one result of the same shape, without a token", () => {
    const second = { ...event, transaction_hash: "0x6" }
    const joined = method.pages?.join([
      { events: [event], continuation_token: "1" },
      { events: [], continuation_token: "2" },
      { events: [second] },
    ])
    expect(joined).toEqual({ events: [event, second] })
  })
})

describe("the server's errors", () => {
  checkClass({ rpcCode: 24, message: "Block not found" }, "NotFound", { rpcCode: 24 })
  checkClass({ rpcCode: 32, message: "There are no blocks" }, "NotFound")
  checkClass({ rpcCode: 31, message: "Requested page size is too big" }, "InvalidParams", {
    advice: expect.stringMatching(/^Lower chunk_size/),
  })
  checkClass({ rpcCode: 33, message: "The supplied continuation token is invalid or unknown" }, "InvalidParams", {
    advice: expect.stringMatching(/^Start again from the first page/),
    retryable: false,
  })
  checkClass({ rpcCode: 34, message: "Too many keys provided in a filter" }, "TooManyParams")
  checkClass({ rpcCode: -32602, message: "Invalid params" }, undefined)
  checkClass({ rpcCode: -32005, message: "query timeout exceeded" }, "SplitRequired", { cause: "timeout" })
  checkClass({ rpcCode: 31, message: "rate", httpStatus: 429 }, "RateLimited")
  checkClass({ rpcCode: 31, message: "over rate limit" }, "RateLimited")
  checkClass({ rpcCode: -32005, message: "project ID request rate exceeded" }, "RateLimited")
  checkClass({ message: "Bad Gateway", httpStatus: 502 }, "Transport")
  checkClass({ message: "oops", httpStatus: 502 }, undefined)
})
