/** Accounts with what the parser of a real node (agave's account decoder 4.1.2, in surfpool 1.5.0) makes of them. */
import { readFileSync } from "node:fs"
import { Json } from "@dotrpc/spec"
import { Schema } from "effect"

const GoldenAccount = Schema.Struct({
  name: Schema.String,
  decimals: Schema.Number,
  owner: Schema.String,
  base64: Schema.String,
  zstd: Schema.String,
  parsed: Schema.declare((value): value is Json.JsonObject => typeof value === "object"),
})
export type GoldenAccount = typeof GoldenAccount.Type

const text = readFileSync(new URL("golden/accounts.json", import.meta.url), "utf8")

export const goldenAccounts = Schema.decodeUnknownSync(Schema.Array(GoldenAccount))(Json.parse(text))

/** The same JSON with `1.0` read as `1`: a node writes every double with a fraction. */
export const plainNumbers = (value: Json.Json): Json.Json => {
  if (value instanceof Json.JsonNumber) return Number(value)
  if (Json.isArray(value)) return value.map(plainNumbers)
  if (Json.isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]))
  return value
}

export const golden = (name: string): GoldenAccount => {
  const found = goldenAccounts.find((account) => account.name === name)
  if (found === undefined) throw new Error(`No golden account is named "${name}".`)
  return found
}

/** An entry of the result, as the service returns it. */
export const entryOf = (account: GoldenAccount, data: Json.Json): Json.JsonObject => ({
  pubkey: "HRPBB14uwdL46VtA7mQTqwKnEESmPkgmmKWNmpcCm8H1",
  account: {
    data,
    executable: false,
    lamports: 2039280,
    owner: account.owner,
    rentEpoch: 18446744073709551615n,
    space: account.parsed.space ?? null,
  },
})
