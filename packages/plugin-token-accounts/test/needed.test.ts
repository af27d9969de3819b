/** What a result must have: what names the thing, and what is read here. Nodes leave out or set to null whatever else there is. */
import { readdirSync, readFileSync } from "node:fs"
import { Json, type Method } from "@dotrpc/spec"
import { parseGolden } from "@dotrpc/plugin-kit"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

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

const inContext = ["context", "context.slot", "value"]
const inAmount = (place: string) => [place, `${place}.amount`, `${place}.decimals`]
const inAccount = (place: string) => [`${place}.data`, `${place}.lamports`, `${place}.owner`]
const inTokenAccounts = [
  ...inContext,
  "value.account",
  ...inAccount("value.account"),
  "value.account.data.parsed",
  "value.account.data.parsed.info",
  "value.account.data.parsed.info.delegatedAmount.amount",
  "value.account.data.parsed.info.delegatedAmount.decimals",
  "value.account.data.parsed.info.mint",
  "value.account.data.parsed.info.owner",
  ...inAmount("value.account.data.parsed.info.tokenAmount"),
  "value.pubkey",
]
const inParsed = (place: string) => [`${place}.parsed`, `${place}.parsed.type`, `${place}.program`]
const inTransaction = (place: string) =>
  [
    "meta.postBalances",
    "meta.postTokenBalances.accountIndex",
    "meta.postTokenBalances.mint",
    ...inAmount("meta.postTokenBalances.uiTokenAmount"),
    "meta.preBalances",
    "meta.preTokenBalances.accountIndex",
    "meta.preTokenBalances.mint",
    ...inAmount("meta.preTokenBalances.uiTokenAmount"),
    "transaction",
    "transaction.message",
    "transaction.message.accountKeys",
    "transaction.message.accountKeys.pubkey",
    "transaction.message.instructions",
    "transaction.message.instructions.programId",
    "transaction.message.instructions.programIdIndex",
    "transaction.signatures",
  ].map((name) => place + name)

const table: ReadonlyArray<readonly [Method, ReadonlyArray<string>]> = [
  [TokenAccounts.GetTokenAccountsByDelegate, inTokenAccounts],
  [TokenAccounts.GetTokenAccountsByOwner, inTokenAccounts],
  [TokenAccounts.GetTokenAccountBalance, [...inContext, "value.amount", "value.decimals"]],
  [TokenAccounts.GetTokenSupply, [...inContext, "value.amount", "value.decimals"]],
  [TokenAccounts.GetTokenLargestAccounts, [...inContext, "value.address", "value.amount", "value.decimals"]],
  [TokenAccounts.GetAccountInfo, [...inContext, ...inAccount("value"), ...inParsed("value.data")]],
  [
    TokenAccounts.GetProgramAccounts,
    [
      "account",
      ...inAccount("account"),
      "pubkey",
      ...inContext,
      "value.account",
      ...inAccount("value.account"),
      ...inParsed("value.account.data"),
      "value.pubkey",
    ],
  ],
  [TokenAccounts.GetBalance, inContext],
  [TokenAccounts.GetSignaturesForAddress, ["signature", "slot"]],
  [TokenAccounts.GetTransaction, ["slot", ...inTransaction("")]],
  [TokenAccounts.GetBlock, ["blockhash", "signatures", "transactions", ...inTransaction("transactions.")]],
  [TokenAccounts.GetLatestBlockhash, [...inContext, "value.blockhash", "value.lastValidBlockHeight"]],
  [TokenAccounts.GetEpochInfo, ["absoluteSlot", "epoch", "slotIndex", "slotsInEpoch"]],
  [TokenAccounts.GetVersion, ["solana-core"]],
]

describe("a result needs what names the thing and what is read of it, and nothing else", () => {
  for (const [method, expected] of table) it(method.name, () => expect(needed(method)).toEqual(expected.toSorted()))
})

describe("an entry of token accounts may be", () => {
  const key = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
  const amount = { amount: "1500000", decimals: 6, uiAmountString: "1.5" }
  const entry = (
    account: Json.JsonObject,
    info: Json.JsonObject = {},
    tokenAmount: Json.JsonObject = amount,
  ): Json.JsonObject => ({
    pubkey: key,
    account: {
      data: { program: "spl-token", parsed: { info: { mint: key, owner: key, tokenAmount, ...info } } },
      lamports: 1,
      owner: key,
      ...account,
    },
  })
  const check = (what: string, sent: Json.JsonObject, cells: ReadonlyArray<string>) =>
    it(what, () => {
      const result = Json.parse(Json.stringify({ context: { slot: 1 }, value: [sent] }))
      expect(TokenAccounts.GetTokenAccountsByOwner.resultIssue(result)).toBeUndefined()
      expect(TokenAccounts.GetTokenAccountsByOwner.render(result, 1).rows[0]?.slice(3)).toEqual(cells)
    })
  check("without all that is not needed", entry({}), ["1.5", "", ""])
  check(
    "with a rent epoch that a proxy has rounded",
    entry({ rentEpoch: new Json.JsonNumber("1.8446744073709552e19") }),
    ["1.5", "", ""],
  )
  check("with null for all of that", entry({ rentEpoch: null, space: null, executable: null }, nulls), ["1.5", "", ""])
  check("without what the node computed", entry({}, {}, { amount: "1500000", decimals: 6 }), [
    "1500000 raw, 6 decimals",
    "",
    "",
  ])
})

const nulls = {
  delegate: null,
  delegatedAmount: null,
  state: null,
  isNative: null,
  rentExemptReserve: null,
  closeAuthority: null,
  extensions: null,
}
