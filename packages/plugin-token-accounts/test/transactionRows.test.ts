/** What a transaction has changed, in whole tokens only where the node has said how many there are. */
import type { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"

const account = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
const mint = "3wyAj7Rt1TWVPZVteFJPLa26JmLvdb1CAKEFZm3NY75E"

/** The amount, what the node computed of it, and the decimals. */
type Held = readonly [amount: string, shown?: string | null, decimals?: number] | undefined

const balances = (held: Held): Json.Json => {
  if (held === undefined) return []
  const [amount, shown, decimals = 6] = held
  const uiTokenAmount = { amount, decimals, ...(shown === undefined ? {} : { uiAmountString: shown }) }
  return [{ accountIndex: 0, mint, uiTokenAmount }]
}

const row = (before: Held, after: Held): ReadonlyArray<string> | undefined => {
  const meta = { preTokenBalances: balances(before), postTokenBalances: balances(after) }
  const transaction = { signatures: [], message: { accountKeys: [account], instructions: [] } }
  const result = { slot: 5, transaction, meta }
  expect(TokenAccounts.GetTransaction.resultIssue(result)).toBeUndefined()
  const [cells] = TokenAccounts.GetTransaction.render(result, 1).rows
  return cells === undefined ? undefined : [cells[1] ?? "", cells[3] ?? ""]
}

describe("a changed amount of a token is shown", () => {
  const table: ReadonlyArray<readonly [title: string, before: Held, after: Held, ReadonlyArray<string> | undefined]> = [
    ["as the node computed it", ["1000000", "1"], ["3500000", "3.5"], ["+2.5", "3.5"]],
    ["with the multiplier of its mint", ["1000000", "2.5"], ["3000000", "7.5"], ["+5", "7.5"]],
    ["with digits in groups", ["1", "0.000001"], ["1204500001", "1204.500001"], ["+1,204.5", "1,204.500001"]],
    ["as less than before", ["3000000", "7.5"], ["1000000", "2.5"], ["-5", "2.5"]],
    ["as all of it where the account is new", undefined, ["1000000", "2.5"], ["+2.5", "2.5"]],
    ["as nothing where the account is closed", ["1000000", "2.5"], undefined, ["-2.5", "0"]],
    [
      "raw where the node says nothing",
      ["1000000"],
      ["3000000"],
      ["+2000000 raw, 6 decimals", "3000000 raw, 6 decimals"],
    ],
    [
      "raw where the node says null",
      undefined,
      ["3000000", null],
      ["+3000000 raw, 6 decimals", "3000000 raw, 6 decimals"],
    ],
    ["raw where the node has not said it before", ["1000000"], ["3000000", "7.5"], ["+2000000 raw, 6 decimals", "7.5"]],
    ["raw where it is not a number", ["1", "inf"], ["3", "inf"], ["+2 raw, 6 decimals", "inf"]],
    ["whole without decimals", ["1", "1", 0], ["3", "3", 0], ["+2", "3"]],
    ["not where it is the same", ["1", "1"], ["1", "2"], undefined],
    ["not where it cannot be read", ["?", "1"], ["1", "2"], undefined],
  ]
  for (const [title, before, after, expected] of table) it(title, () => expect(row(before, after)).toEqual(expected))
})

describe("the supply of a mint is shown", () => {
  const info = { supply: "4000000000", decimals: 6 }
  const headline = (extensions: Json.Json | undefined) =>
    TokenAccounts.GetAccountInfo.render(
      {
        context: { slot: 1 },
        value: {
          data: {
            program: "spl-token-2022",
            parsed: { type: "mint", info: extensions === undefined ? info : { ...info, extensions } },
          },
          lamports: 1,
          owner: mint,
        },
      },
      1,
    ).headline
  const raw = "4000000000 raw, 6 decimals in total"
  const table: ReadonlyArray<readonly [title: string, extensions: Json.Json | undefined, shown: string]> = [
    ["in tokens without extensions", undefined, "4,000 in total"],
    ["in tokens with others", [{ extension: "metadataPointer" }], "4,000 in total"],
    ["raw with a multiplier", [{ extension: "scaledUiAmountConfig", state: { multiplier: "2.5" } }], raw],
    ["raw with interest", [{ extension: "interestBearingConfig" }], raw],
    ["raw with a multiplier in bytes", [{ extension: "unknown", state: { type: 25, data: "" } }], raw],
  ]
  for (const [title, extensions, shown] of table) it(title, () => expect(headline(extensions)).toContain(` ${shown} `))
})
