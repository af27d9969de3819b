import { Redacted } from "effect"
import { expect, it } from "vitest"
import { ledgerServer, ledgerUrl } from "../src/index.ts"

const workspace = {
  env: (name: string) => ({ HOST: "cache.example" })[name],
  secret: (name: string) => (name === "PASSWORD" ? Redacted.make("p@ss/word") : undefined),
}

const check = (ledger: string, expected: string) => expect(Redacted.value(ledgerUrl(ledger, workspace))).toBe(expected)

it("secrets and variables are filled in, encoded for an address", () => {
  check("redis://127.0.0.1:6379", "redis://127.0.0.1:6379")
  check("postgres://ada:{{$secret.PASSWORD}}@{{$env.HOST}}/team", "postgres://ada:p%40ss%2Fword@cache.example/team")
  check("rediss://:{{$secret.PASSWORD}}@{{$env.HOST}}:6379", "rediss://:p%40ss%2Fword@cache.example:6379")
})

it("its kind is what its URL begins with", () => {
  for (const url of ["postgres://a", "postgresql://a", Redacted.make("postgres://a")])
    expect(ledgerServer(url)).toBe("postgres")
  for (const url of ["redis://a", "rediss://postgres:b@c", Redacted.make("redis://a")])
    expect(ledgerServer(url)).toBe("redis")
})

it("a secret that is not in the store may be a variable", () =>
  check("redis://{{$secret.HOST}}:1", "redis://cache.example:1"))

it("one that is not set is named", () => {
  expect(() => ledgerUrl("redis://:{{$secret.MISSING}}@host", workspace)).toThrow(
    "the URL of the ledger needs MISSING, which is not set",
  )
})
