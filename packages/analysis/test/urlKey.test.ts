import { Redacted } from "effect"
import { expect, it } from "vitest"
import { urlKeys, urlWith } from "../src/index.ts"

const key = "0a1b2c3d4e5f6a7b8c9d"
const mixed = "Ab12Cd34Ef56Gh78Ij90"

/** The URL with `{1}` for the first key, and the values, with a question mark behind those that may be parts of a route. */
const check = (what: string, url: string, expectedUrl: string, ...expected: ReadonlyArray<string>) =>
  it(what, () => {
    const found = urlKeys(url)
    expect(urlWith(url, found, (one) => `{${found.indexOf(one) + 1}}`)).toBe(expectedUrl)
    expect(found.map(({ isSure, value }) => `${Redacted.value(value)}${isSure ? "" : "?"}`)).toEqual(expected)
  })

check("follows a version", `https://node.example/v3/${key}`, "https://node.example/v3/{1}", key)
check("is a parameter", `https://node.example/?api-key=${key}`, "https://node.example/?api-key={1}", key)
check("is a password", "https://me:pa%3Ass@node.example/", "https://me:{1}@node.example/", "pa:ss")
check("is a user without a password", `https://${key}@node.example/`, "https://{1}@node.example/", key)
check("is of a WebSocket as well", `wss://node.example/v3/${key}`, "wss://node.example/v3/{1}", key)
check(
  "may be the last part of a path",
  "https://node.example/eth/a1b2c3d4e5",
  "https://node.example/eth/{1}",
  "a1b2c3d4e5?",
)
check("may be a parameter of any name", "https://node.example/?d=A1b2C3", "https://node.example/?d={1}", "A1b2C3?")
check("is a parameter whose name has the word", "https://node.example/?dkey=A1", "https://node.example/?dkey={1}", "A1")
check("is a parameter without a name", `https://node.example?${key}`, "https://node.example?{1}", key)
check(
  "is short where keys stand",
  "https://me:p@node.example/v1/ab?token=c",
  "https://me:{1}@node.example/v1/{2}?token={3}",
  "p",
  "ab",
  "c",
)
check("is not a chain behind a version", "https://node.example/v1/mainnet", "https://node.example/v1/mainnet")
check("may be a part of the host", `https://${key}.node.example`, "https://{1}.node.example", `${key}?`)
check("may be a part of the host in capitals", `https://${mixed}.node.example`, "https://{1}.node.example", `${mixed}?`)
check("may be half encoded", `https://node.example/ключ%20${mixed}`, "https://node.example/{1}", `ключ ${mixed}?`)
check(
  "may stand beside a sure one",
  `https://node.example/v3/${key}?dkey=${mixed}`,
  "https://node.example/v3/{1}?dkey={2}",
  key,
  mixed,
)
check(
  "is found beside a login",
  `https://me:password1@node.example/v3/${key}`,
  "https://me:{1}@node.example/v3/{2}",
  "password1",
  key,
)
check(
  "is found wherever it is repeated",
  `https://node.example/v3/${key}?x=${key}2`,
  "https://node.example/v3/{1}?x={2}",
  key,
  `${key}2?`,
)
check(
  "is found behind a placeholder",
  `https://{{$secret.HOST}}.node.example/v3/${key}`,
  "https://{{$secret.HOST}}.node.example/v3/{1}",
  key,
)
check("is not a route", "https://node.example/rpc", "https://node.example/rpc")
check("is not a letter of a route", "https://node.example/ext/bc/C/rpc", "https://node.example/ext/bc/C/rpc")
check("is not in a URL of a host alone", "https://node.example", "https://node.example")
check("is not a port", "http://127.0.0.1:8545", "http://127.0.0.1:8545")
check("is not a port of IPv6", "http://[::1]:8545/", "http://[::1]:8545/")
