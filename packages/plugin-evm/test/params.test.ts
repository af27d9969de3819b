import { defineNetwork, type Json, type Method, type Network, scanIssues, showPath } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { withUsualAddresses } from "../src/schemas/forms.ts"
import { everyTag, fewTags, nearHead } from "./samples/networks.ts"
import { hash, holder, token, transferTopic } from "./samples/values.ts"

/** An issue as `path: message`, followed by what it would rename or replace. */
const show = (method: Method, params: Json.Json, network: Network): ReadonlyArray<string> =>
  method.issues(params, network).map((issue) => {
    const rename = issue.renameTo === undefined ? "" : ` -> ${issue.renameTo}`
    const replace = issue.replaceWith === undefined ? "" : ` => ${JSON.stringify(issue.replaceWith)}`
    return `${showPath(issue.path)}: ${issue.message}${rename}${replace}`
  })

const suite = (method: Method, network: Network) => ({
  accepts: (title: string, params: Json.Json) =>
    it(`accepts ${title}`, () => expect(show(method, params, network)).toEqual([])),
  refuses: (title: string, params: Json.Json, ...expected: ReadonlyArray<string>) =>
    it(`refuses ${title}`, () => expect(show(method, params, network)).toEqual(expected)),
})

const blockWanted =
  'expected one of the tags latest, earliest, pending, safe, finalized, or a block number in hex such as "0x1b4"'
const addressWanted = "expected an address of 20 bytes (0x and 40 hex digits)"
const hashWanted = "expected a hash of 32 bytes (0x and 64 hex digits)"
const topicWanted = "expected a topic of 32 bytes (0x and 64 hex digits)"
const positionWanted = 'expected a storage position of at most 32 bytes in hex such as "0x0"'

describe("eth_getStorageAt", () => {
  const { accepts, refuses } = suite(Evm.GetStorageAt, everyTag)
  for (const tag of Evm.blockTags) accepts(`the tag ${tag}`, [token, "0x0", tag])
  accepts("a block number", [token, "0x0", "0x1b4"])
  accepts("block zero", [token, "0x0", "0x0"])
  accepts("the largest block number", [token, "0x0", "0xffffffffffffffff"])
  accepts("a position with leading zeros", [token, "0x0008", "latest"])
  accepts("a position of odd length", [token, "0x123", "latest"])
  accepts("a position of 32 bytes", [token, hash("ff"), "latest"])
  accepts("an address in mixed case", ["0x5FbDB2315678afecb367f032d93F642f64180aa3", "0x0", "latest"])
  refuses(
    "a short address",
    [token.slice(0, -1), "0x0", "latest"],
    `params[0]: ${addressWanted}, found 39 digits in "0x5fbdb23156…f64180aa"`,
  )
  refuses(
    "an address without 0x",
    [token.slice(2), "0x0", "latest"],
    `params[0]: ${addressWanted}, found "5fbdb2315678…64180aa3", which does not begin with 0x`,
  )
  refuses(
    "an address with a letter that is not hex",
    [token.replace("f", "g"), "0x0", "latest"],
    `params[0]: ${addressWanted}, found "g" at character 4 of "0x5gbdb23156…64180aa3"`,
  )
  refuses("an address that is not text", [null, "0x0", "latest"], `params[0]: ${addressWanted}, found null`)
  refuses("an empty position", [token, "0x", "latest"], `params[1]: ${positionWanted}, found no digits after 0x`)
  refuses(
    "a position of 33 bytes",
    [token, `${hash("11")}11`, "latest"],
    `params[1]: ${positionWanted}, found 66 digits`,
  )
  refuses(
    "a number as the position, and offers it in hex",
    [token, 10, "latest"],
    `params[1]: ${positionWanted}, found 10 => "0xa"`,
  )
  refuses(
    "a misspelt tag, and offers the right one",
    [token, "0x0", "lates"],
    `params[2]: ${blockWanted}, found "lates"; did you mean "latest"? => "latest"`,
  )
  refuses(
    "leading zeros in a block number, and shows the right form",
    [token, "0x0", "0x01b4"],
    `params[2]: ${blockWanted}, found "0x01b4" with leading zeros; write "0x1b4" => "0x1b4"`,
  )
  refuses(
    "a decimal block number in quotes",
    [token, "0x0", "436"],
    `params[2]: ${blockWanted}, found "436"; write "0x1b4" => "0x1b4"`,
  )
  refuses("a JSON number as the block", [token, "0x0", 436], `params[2]: ${blockWanted}, found 436 => "0x1b4"`)
  refuses("a negative block number", [token, "0x0", -1], `params[2]: ${blockWanted}, found -1`)
  refuses("an unknown word as the block", [token, "0x0", "yesterday"], `params[2]: ${blockWanted}, found "yesterday"`)
  refuses("a missing block", [token, "0x0"], 'params[2]: position 2 is missing: the block, such as "latest"')
  refuses(
    "no params at all, naming each",
    [],
    "params[0]: position 0 is missing: the address whose storage is read",
    'params[1]: position 1 is missing: the storage position, such as "0x0"',
    'params[2]: position 2 is missing: the block, such as "latest"',
  )
  refuses("one param too many", [token, "0x0", "latest", "0x1"], "params[3]: too many params: position 3 is not used")
})

describe("eth_getStorageAt on a network with few tags", () => {
  const { accepts, refuses } = suite(Evm.GetStorageAt, fewTags)
  accepts("a tag it takes", [token, "0x0", "finalized"])
  accepts("a number", [token, "0x0", "0x1"])
  refuses(
    "safe, and suggests finalized",
    [token, "0x0", "safe"],
    'params[2]: the tag "safe" is not supported on network "few-tags", which takes latest, earliest, finalized; use "finalized" => "finalized"',
  )
  refuses(
    "pending, without a substitute",
    [token, "0x0", "pending"],
    'params[2]: the tag "pending" is not supported on network "few-tags", which takes latest, earliest, finalized',
  )
})

describe("eth_getBlockRange", () => {
  const { accepts, refuses } = suite(Evm.GetBlockRange, everyTag)
  accepts("one block", ["0x5", "0x5", true])
  accepts("a thousand blocks", ["0x1", "0x3e8", false])
  accepts("tags", ["earliest", "latest", false])
  refuses(
    "a thousand and one blocks, and offers an end that fits",
    ["0x1", "0x3e9", false],
    'params[1]: the range has 1,001 blocks, more than the 1,000 of one call => "0x3e8"',
  )
  refuses("a start after the end", ["0x6", "0x5", false], "params[0]: the start block 6 is after the end block 5")
  refuses("a flag that is not a boolean", ["0x5", "0x6", "true"], 'params[2]: expected true or false, found "true"')
  refuses(
    "a missing flag",
    ["0x5", "0x6"],
    "params[2]: position 2 is missing: true for full transactions, false for their hashes",
  )
})

describe("eth_getBlockRange on a network with few tags", () => {
  const { refuses } = suite(Evm.GetBlockRange, fewTags)
  refuses(
    "each unsupported tag",
    ["safe", "pending", false],
    'params[0]: the tag "safe" is not supported on network "few-tags", which takes latest, earliest, finalized; use "finalized" => "finalized"',
    'params[1]: the tag "pending" is not supported on network "few-tags", which takes latest, earliest, finalized',
  )
})

describe("eth_getLogs", () => {
  const { accepts, refuses } = suite(Evm.GetLogs, everyTag)
  accepts("an empty filter", [{}])
  accepts("every member", [{ address: token, fromBlock: "0x1", toBlock: "latest", topics: [transferTopic] }])
  accepts("null wherever it means any", [
    { address: null, fromBlock: null, toBlock: null, topics: null, blockHash: null },
  ])
  accepts("a block hash beside a null range", [{ blockHash: hash("bb"), fromBlock: null }])
  accepts("several addresses, or none", [{ address: [] }])
  accepts("alternatives, wildcards and empty alternatives", [{ topics: [[transferTopic, null], null, [], hash("01")] }])
  accepts("5,000 addresses and topics", [{ address: Array.from({ length: 4_999 }, () => token), topics: [hash("01")] }])
  refuses(
    "the spelling blockhash, and offers blockHash",
    [{ blockhash: hash("bb") }],
    'params[0].blockhash: unknown member "blockhash"; did you mean "blockHash"? -> blockHash',
  )
  refuses(
    "a block hash beside a range, for each end",
    [{ blockHash: hash("bb"), fromBlock: "0x1", toBlock: "latest" }],
    'params[0].fromBlock: "fromBlock" and "blockHash" exclude each other: remove one',
    'params[0].toBlock: "toBlock" and "blockHash" exclude each other: remove one',
  )
  refuses(
    "a range that ends before it begins",
    [{ fromBlock: "0x5", toBlock: "0x4" }],
    "params[0].fromBlock: fromBlock 5 is after toBlock 4",
  )
  refuses(
    "a JSON number as a bound, and offers it in hex",
    [{ fromBlock: 5 }],
    `params[0].fromBlock: ${blockWanted} or null, found 5 => "0x5"`,
  )
  refuses(
    "five topics",
    [{ topics: [null, null, null, null, null] }],
    "params[0].topics: expected at most 4 topics, found 5",
  )
  refuses(
    "a topic that is not in an array, and offers the array",
    [{ topics: transferTopic }],
    `params[0].topics: expected an array of at most 4 topics or null, found "${transferTopic}" => ["${transferTopic}"]`,
  )
  refuses(
    "an address as a topic, at its place",
    [{ topics: [null, [hash("01"), holder]] }],
    `params[0].topics[1][1]: ${topicWanted}, found 40 digits in "0xf39fd6e51a…ffb92266"`,
  )
  refuses(
    "a bad address in a list, at its place",
    [{ address: [token, "0x1"] }],
    `params[0].address[1]: ${addressWanted}, found 1 digit in "0x1"`,
  )
  refuses("a short block hash", [{ blockHash: "0xbb" }], `params[0].blockHash: ${hashWanted}, found 2 digits in "0xbb"`)
  refuses(
    "5,001 addresses and topics",
    [{ address: Array.from({ length: 5_000 }, () => token), topics: [[hash("01")]] }],
    "params[0].address: the filter has 5,001 addresses and topics, more than the 5,000 of one request: split the list over several requests",
  )
  refuses("a filter without its array", {}, "params: expected an array with one filter object, found {} => [{}]")
  refuses("no filter", [], "params[0]: position 0 is missing: the filter, an object")
  refuses("a second filter", [{}, {}], "params[1]: too many params: position 1 is not used")
})

describe("eth_getLogs on a network with few tags", () => {
  const { accepts, refuses } = suite(Evm.GetLogs, fewTags)
  accepts("the default range", [{}])
  refuses(
    "each unsupported tag",
    [{ fromBlock: "safe", toBlock: "pending" }],
    'params[0].fromBlock: the tag "safe" is not supported on network "few-tags", which takes latest, earliest, finalized; use "finalized" => "finalized"',
    'params[0].toBlock: the tag "pending" is not supported on network "few-tags", which takes latest, earliest, finalized',
  )
})

describe("a network that answers the latest 128 blocks", () => {
  const kept = 'the latest 128 blocks that network "near-head" answers'
  const storage = suite(Evm.GetStorageAt, nearHead)
  storage.accepts("storage at a number, since only the node knows its head", [token, "0x0", "0x1"])
  storage.accepts("storage at its head", [token, "0x0", "latest"])
  storage.refuses(
    "storage at the first block",
    [token, "0x0", "earliest"],
    `params[2]: the tag "earliest" is older than ${kept}`,
  )
  const logs = suite(Evm.GetLogs, nearHead)
  logs.accepts("logs of 128 blocks", [{ fromBlock: "0x1", toBlock: "0x80" }])
  logs.accepts("logs from a number to the head", [{ fromBlock: "0x1", toBlock: "latest" }])
  logs.refuses(
    "logs of 129 blocks, and offers the newest of them",
    [{ fromBlock: "0x1", toBlock: "0x81" }],
    `params[0].fromBlock: the range has 129 blocks, more than ${kept} => "0x2"`,
  )
  logs.refuses(
    "logs from the first block",
    [{ fromBlock: "earliest", toBlock: "latest" }],
    `params[0].fromBlock: the tag "earliest" is older than ${kept}`,
  )
  const blocks = suite(Evm.GetBlockRange, nearHead)
  blocks.refuses(
    "a longer range of blocks, and offers the newest of them",
    ["0x1", "0x100", false],
    `params[0]: the range has 256 blocks, more than ${kept} => "0x81"`,
  )
})

describe("a network whose calls cover few blocks", () => {
  const capped = defineNetwork({ id: "capped", plugin: "evm", spanCap: 500 })
  const logs = suite(Evm.GetLogs, capped)
  logs.accepts("logs of as many blocks", [{ fromBlock: "0x1", toBlock: "0x1f4" }])
  logs.refuses(
    "logs of more, and offers an end that fits",
    [{ fromBlock: "0x1", toBlock: "0x1f5" }],
    'params[0].toBlock: the range has 501 blocks, more than the 500 of one call on network "capped" => "0x1f4"',
  )
  const blocks = suite(Evm.GetBlockRange, capped)
  blocks.refuses(
    "blocks of more than both allow",
    ["0x0", "0x3e8", false],
    'params[1]: the range has 1,001 blocks, more than the 500 of one call on network "capped" => "0x1f3"',
  )
  it("takes a longer range for a scan, which asks for it piece by piece", () =>
    expect(scanIssues(Evm.GetLogs, [{ fromBlock: "0x1", toBlock: "0xffff" }], capped)).toEqual([]))
})

describe("eth_getTransactionReceipt", () => {
  const { accepts, refuses } = suite(Evm.GetTransactionReceipt, everyTag)
  accepts("a hash", [hash("aa")])
  accepts("a hash in upper case", [`0x${"AB".repeat(32)}`])
  refuses("a short hash", ["0xaa"], `params[0]: ${hashWanted}, found 2 digits in "0xaa"`)
  refuses("no hash", [], "params[0]: position 0 is missing: the hash of the transaction")
})

describe("eth_getBalance", () => {
  const { accepts, refuses } = suite(Evm.GetBalance, everyTag)
  accepts("no block", [token])
  accepts("a tag", [token, "safe"])
  accepts("a hash", [token, hash("ab")])
  accepts("an object with a hash", [token, { blockHash: hash("ab"), requireCanonical: true }])
  accepts("an object with a number", [token, { blockNumber: "0x1b4" }])
  refuses(
    "an object with neither",
    [token, {}],
    'params[1]: expected either "blockHash" or "blockNumber" in a block object',
  )
  refuses(
    "an object with both",
    [token, { blockHash: hash("ab"), blockNumber: "0x1" }],
    'params[1]: expected either "blockHash" or "blockNumber" in a block object',
  )
})

describe("addresses of XDC", () => {
  const written = `xdc${token.slice(2)}`
  const check = (method: Method, params: Json.Json, expected: Json.Json) =>
    it(`are sent by ${method.name} as 0x…`, () => {
      expect(show(method, params, everyTag)).toEqual([])
      expect(method.prepare(params, everyTag).params).toEqual(expected)
    })
  check(Evm.GetBalance, [written, "latest"], [token, "latest"])
  check(Evm.GetStorageAt, [written, "0x0", "latest"], [token, "0x0", "latest"])
  check(Evm.GetLogs, [{ address: [written, holder] }], [{ address: [token, holder] }])
  check(Evm.LogsSubscription.open, ["logs", { address: written }], ["logs", { address: token }])
  it("are those that a scan asks for and compares with", () => {
    const { range } = Evm.GetLogs
    expect(range?.narrow([{ address: written }], 1, 2)).toEqual([{ address: token, fromBlock: "0x1", toBlock: "0x2" }])
    const matches = range?.matching?.([{ address: written }])
    expect([written, token, holder].map((address) => matches?.({ address, topics: [] }))).toEqual([true, true, false])
  })
  it("are read in each place of an object that is in several, or contains itself", () => {
    const shared = { to: written }
    expect(withUsualAddresses([shared, shared])).toEqual([{ to: token }, { to: token }])
    const cycle: Array<Json.Json> = []
    for (let count = 0; count < 20; count++) cycle.push(cycle)
    expect(withUsualAddresses(cycle)).toBe(cycle)
  })
  it("leave params without them as they are", () => {
    const params = [{ address: token, topics: ["xdc"] }]
    expect(Evm.GetBalance.prepare(params, everyTag).params).toBe(params)
  })
  const { refuses } = suite(Evm.GetBalance, everyTag)
  refuses(
    "one that is too short",
    ["xdc1", "latest"],
    `params[0]: ${addressWanted}, found "xdc1", which does not begin with 0x`,
  )
})
