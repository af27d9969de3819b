import { Redacted } from "effect"
import { expect, it } from "vitest"
import { ledgerUrl } from "../src/index.ts"

const workspace = {
  env: (name: string) => ({ HOST: "cache.example" })[name],
  secret: (name: string) => (name === "PASSWORD" ? Redacted.make("p@ss/word") : undefined),
}

const check = (ledger: string, expected: string) => expect(Redacted.value(ledgerUrl(ledger, workspace))).toBe(expected)

it("secrets and variables are filled in, encoded for an address", () => {
  check("redis://127.0.0.1:6379", "redis://127.0.0.1:6379")
  check("rediss://:{{$secret.PASSWORD}}@{{$env.HOST}}:6379", "rediss://:p%40ss%2Fword@cache.example:6379")
})

it("a secret that is not in the store may be a variable", () =>
  check("redis://{{$secret.HOST}}:1", "redis://cache.example:1"))

it("one that is not set is named", () => {
  expect(() => ledgerUrl("redis://:{{$secret.MISSING}}@host", workspace)).toThrow(
    "the URL of the ledger needs MISSING, which is not set",
  )
})
