import { Redacted } from "effect"
import { expect, it } from "vitest"
import { urlKey } from "../src/index.ts"

const key = "0a1b2c3d4e5f6a7b8c9d"

const check = (
  what: string,
  url: string,
  expected: readonly [value: string, url: string, isSure: boolean] | undefined,
) =>
  it(what, () => {
    const found = urlKey(url)
    expect(found && [Redacted.value(found.value), found.urlWith("KEY"), found.isSure]).toEqual(expected)
  })

check("follows a version", `https://node.example/v3/${key}`, [key, "https://node.example/v3/{{$secret.KEY}}", true])
check("is a parameter", `https://node.example/?api-key=${key}`, [
  key,
  "https://node.example/?api-key={{$secret.KEY}}",
  true,
])
check("is a password", "https://me:pa%3Ass@node.example/", ["pa:ss", "https://me:{{$secret.KEY}}@node.example/", true])
check("is a user without a password", `https://${key}@node.example/`, [
  key,
  "https://{{$secret.KEY}}@node.example/",
  true,
])
check("is of a WebSocket as well", `wss://node.example/v3/${key}`, [key, "wss://node.example/v3/{{$secret.KEY}}", true])
check("may be the last part of a path", "https://node.example/eth/a1b2c3d4e5", [
  "a1b2c3d4e5",
  "https://node.example/eth/{{$secret.KEY}}",
  false,
])
check("may be a parameter of any name", "https://node.example/?dkey=A1b2C3", [
  "A1b2C3",
  "https://node.example/?dkey={{$secret.KEY}}",
  false,
])
check("is not a route", "https://node.example/rpc", undefined)
check("is not in a URL of a host alone", "https://node.example", undefined)
check("is not a port", "http://127.0.0.1:8545", undefined)
