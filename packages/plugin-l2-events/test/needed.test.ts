/** What a result must have: what names the thing, and what is read here. Nodes leave out or set to null whatever else there is. */
import { readdirSync, readFileSync } from "node:fs"
import { Json, type Method } from "@dotrpc/spec"
import { parseGolden } from "@dotrpc/plugin-kit"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const io = new URL("io/", import.meta.url)

/** Results of a method as the golden files have them. */
const resultsOf = (name: string): ReadonlyArray<Json.Json> =>
  readdirSync(io).flatMap((file) =>
    parseGolden(readFileSync(new URL(file, io), "utf8")).exchanges.flatMap(({ reply, request }) =>
      Json.isObject(request) && request["method"] === name && Json.isObject(reply) && reply["result"] !== undefined
        ? [reply["result"]]
        : [],
    ),
  )

/** A value with each of its members absent and null, one at a time, and the name of the member. Lists are looked into at their first item. */
function* without(value: Json.Json, path = ""): Generator<readonly [name: string, value: Json.Json]> {
  if (Json.isArray(value)) {
    const [first, ...rest] = value
    if (first !== undefined) for (const [name, item] of without(first, path)) yield [name, [item, ...rest]]
  } else if (Json.isObject(value))
    for (const [name, member] of Object.entries(value)) {
      const place = path === "" ? name : `${path}.${name}`
      yield [place, Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))]
      yield [place, { ...value, [name]: null }]
      for (const [inner, changed] of without(member, place)) yield [inner, { ...value, [name]: changed }]
    }
}

/** The members without which a result is not one, or that may not be null. What is drawn without any of the others must not throw. */
const needed = (method: Method): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const result of resultsOf(method.name))
    for (const [name, changed] of without(result))
      if (method.resultIssue(changed) === undefined) method.render(changed, 10, { timeZone: "UTC" })
      else found.add(name)
  return [...found].toSorted()
}

/** Lists that a type of transaction may be without, and that are not null. */
const lists = (place: string) =>
  ["account_deployment_data", "calldata", "paymaster_data", "signature"].map((name) => place + name)
const events = (place: string) => ["", ".data", ".from_address", ".keys"].map((name) => `${place}events${name}`)
const inReceipt = (place: string) => [
  `${place}actual_fee.amount`,
  ...events(place),
  `${place}messages_sent`,
  `${place}transaction_hash`,
]

const table: ReadonlyArray<readonly [Method, ReadonlyArray<string>]> = [
  [L2Events.GetEvents, [...events(""), "events.transaction_hash"]],
  [L2Events.GetBlockWithTxHashes, ["transactions"]],
  [
    L2Events.GetBlockWithTxs,
    ["transactions", ...lists("transactions."), "transactions.proof_facts", "transactions.type"],
  ],
  [
    L2Events.GetBlockWithReceipts,
    [
      "transactions",
      "transactions.receipt",
      ...inReceipt("transactions.receipt."),
      "transactions.transaction",
      ...lists("transactions.transaction."),
      "transactions.transaction.type",
    ],
  ],
  [L2Events.GetTransactionByHash, [...lists(""), "type"]],
  [L2Events.GetTransactionByBlockIdAndIndex, [...lists(""), "type"]],
  [L2Events.GetTransactionReceipt, inReceipt("")],
  [L2Events.GetTransactionStatus, ["finality_status"]],
  [L2Events.GetBlockHashAndNumber, ["block_hash", "block_number"]],
]

describe("a result needs what names the thing and what is read of it, and nothing else", () => {
  for (const [method, expected] of table) it(method.name, () => expect(needed(method)).toEqual(expected.toSorted()))
})
