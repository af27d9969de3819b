import { type Json, Table } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"
import { entryOf, golden, type GoldenAccount } from "./golden.ts"

const render = (entries: ReadonlyArray<Json.Json>, limit = 100): Table.Table =>
  TokenAccounts.GetTokenAccountsByDelegate.render({ context: { slot: 31 }, value: entries }, limit)

const check = (what: string, account: GoldenAccount, data: Json.Json, expected: ReadonlyArray<string>) =>
  it(`draws ${what}`, () => {
    const [address, ...cells] = render([entryOf(account, data)]).rows[0] ?? []
    expect(address).toBe("HRPBB14uwdL46VtA7mQTqwKnEESmPkgmmKWNmpcCm8H1")
    expect(cells).toEqual(expected)
  })

/** Every golden account has the same owner. */
const owner = "7dACv9HM…TBddLW"

describe("a row is the same whether the node parsed the account or it is decoded here", () => {
  const approved = golden("approved")
  const keys = ["2pvDkmDd…fQQhGf", owner]
  const parsed = [...keys, "1.5", "0.25", "initialized"]
  const raw = [...keys, "1500000 raw", "250000 raw", "initialized"]
  check("parsed", approved, approved.parsed, parsed)
  check("base64, without decimals", approved, [approved.base64, "base64"], raw)
  check("zstd, without decimals", approved, [approved.zstd, "base64+zstd"], raw)
  const native = golden("native")
  check(
    "native, whose decimals are known",
    native,
    [native.base64, "base64"],
    ["So111111…111112", owner, "1.5", "0.000000005", "initialized"],
  )
  const plain = golden("nothing set")
  check("no delegate", plain, plain.parsed, ["HxkRpDXv…hbmKX2", owner, "0", "", "initialized"])
})

describe("an account that cannot be decoded says why", () => {
  const account = golden("token-2022, immutable owner")
  it("draws a slice as the part it is, and says what to do", () => {
    const table = render([entryOf(account, ["AAAAAAAAAAA=", "base64"])])
    expect(table.columns.at(-1)?.name).toBe("part")
    expect(table.rows[0]?.slice(1)).toEqual(["", "", "", "", "", "8 of 170 bytes, 0x0000000000000000"])
    expect(table.notes).toEqual(["dataSlice has cut the data: ask without it to see the accounts decoded"])
  })
  it("draws text that is not its encoding with what is wrong", () => {
    const table = render([entryOf(account, ["*", "base64"])])
    expect(table.columns.at(-1)?.name).toBe("problem")
    expect(table.rows[0]?.slice(1)).toEqual([
      "",
      "",
      "",
      "",
      "",
      expect.stringMatching(/^account data is not base64: /),
    ])
  })
})

describe("the table", () => {
  const account = golden("approved")
  const three = [1, 2, 3].map(() => entryOf(account, account.parsed))
  it("counts every account and draws only so many", () => {
    const table = render(three, 2)
    expect([table.total, table.rows.length, Table.summarize(table)]).toEqual([3, 2, "3 token accounts"])
  })
  it("counts one in the singular", () => expect(Table.summarize(render(three.slice(0, 1)))).toBe("1 token account"))
  it("names its columns", () =>
    expect(render([]).columns.map((column) => column.name)).toEqual([
      "account",
      "mint",
      "owner",
      "amount",
      "delegated",
      "state",
    ]))
})

it("links each account to the network's explorer", () => {
  const list = { context: { slot: 31 }, value: [entryOf(golden("approved"), golden("approved").parsed)] }
  const network = { explorer: "https://scan.example?cluster=devnet" }
  expect(TokenAccounts.GetTokenAccountsByDelegate.render(list, 1, { network }).links).toEqual([
    ["https://scan.example/address/HRPBB14uwdL46VtA7mQTqwKnEESmPkgmmKWNmpcCm8H1?cluster=devnet"],
  ])
})

it("the label of a wallet stands beside it", () => {
  const label = (address: string) => ({ "7dACv9HMtr4ibmk6oFAi3xShpMb1heijSxVSmETBddLW": "Wallet" })[address]
  const account = golden("approved")
  const value = [entryOf(account, account.parsed)]
  const table = TokenAccounts.GetTokenAccountsByDelegate.render({ context: { slot: 31 }, value }, 9, { label })
  expect(table.rows[0]).toContain("Wallet (7dACv9HM…TBddLW)")
})
