import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { keysInConfig } from "../src/index.ts"

const key = "canary0a1b2c3d4e5f"

/** What is marked, what it becomes, and the file after the first repair. */
const check = (title: string, text: string, expected: ReadonlyArray<string>, repaired?: string) =>
  it(title, () => {
    const found = keysInConfig(text)
    expect(found.map(({ start, end, move }) => `${text.slice(start, end)} → ${move?.name ?? "elsewhere"}`)).toEqual(
      expected,
    )
    expect(found.filter(({ message }) => message.includes(key))).toEqual([])
    if (repaired === undefined) return
    const edits = found[0]?.move?.fix.edits.toSorted((left, right) => right.start - left.start) ?? []
    const after = edits.reduce((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text)
    expect(after).toBe(repaired)
  })

const network = (settings: string): string => `{ "networks": { "main-net": { ${settings} } } }`

describe("a key in the configuration", () => {
  check(
    "is named after its network",
    network(`"url": "https://node.example/v3/${key}"`),
    [`${key} → MAIN_NET_KEY`],
    network(`"url": "https://node.example/v3/{{$secret.MAIN_NET_KEY}}"`),
  )
  check(
    "is found in a header, after its scheme",
    network(`"url": "https://node.example", "headers": { "Authorization": "Bearer ${key}" }`),
    [`${key} → MAIN_NET_KEY`],
    network(`"url": "https://node.example", "headers": { "Authorization": "Bearer {{$secret.MAIN_NET_KEY}}" }`),
  )
  check(
    "is one secret in a header and a URL",
    network(`"url": "https://node.example/v3/${key}", "headers": { "x-api-key": "${key}" }`),
    [`${key} → MAIN_NET_KEY`, `${key} → MAIN_NET_KEY`],
    network(
      `"url": "https://node.example/v3/{{$secret.MAIN_NET_KEY}}", "headers": { "x-api-key": "{{$secret.MAIN_NET_KEY}}" }`,
    ),
  )
  check(
    "is not a header with the name of a secret",
    network(`"headers": { "Authorization": "Bearer {{$secret.T}}" }`),
    [],
  )
  check(
    "is found beside the name of a variable",
    network(`"headers": { "X-A": "{{$env.V}} ${key}" }`),
    [`${key} → MAIN_NET_KEY`],
    network(`"headers": { "X-A": "{{$env.V}} {{$secret.MAIN_NET_KEY}}" }`),
  )
  check("is not a word in a header", network(`"headers": { "X-Client": "dotrpc", "X-Api-Key-Kind": "mainnet" }`), [])
  check("is looked for only in the headers of a network", `{ "headers": { "Authorization": "Bearer ${key}" } }`, [])
  check(
    "is found in a header of an environment",
    `{ "environments": { "prod": { "networks": { "main": { "headers": { "x-key": "${key}" } } } } } }`,
    [`${key} → PROD_MAIN_KEY`],
  )
  it("is kept as a header has it", () => {
    const [found] = keysInConfig(network(String.raw`"headers": { "x-key": "a%41\u0062\"c" }`))
    expect(found?.move && Redacted.value(found.move.value)).toBe('a%41b"c')
  })
  check(
    "is moved from every place by one repair",
    network(`"url": "https://node.example/v3/${key}", "wsUrl": "wss://node.example/ws/v3/${key}"`),
    [`${key} → MAIN_NET_KEY`, `${key} → MAIN_NET_KEY`],
    network(
      `"url": "https://node.example/v3/{{$secret.MAIN_NET_KEY}}", "wsUrl": "wss://node.example/ws/v3/{{$secret.MAIN_NET_KEY}}"`,
    ),
  )
  check(
    "may be the second one of a URL",
    network(`"url": "https://me:password1@node.example/v3/${key}"`),
    ["password1 → MAIN_NET_KEY", `${key} → MAIN_NET_KEY_2`],
    network(`"url": "https://me:{{$secret.MAIN_NET_KEY}}@node.example/v3/${key}"`),
  )
  check(
    "is found behind the name of another one",
    network(`"url": "https://me:{{$secret.P}}@node.example/v3/${key}"`),
    [`${key} → MAIN_NET_KEY`],
  )
  check(
    "takes no name that has another value",
    network(`"url": "https://node.example/v3/{{$secret.MAIN_NET_KEY}}", "wsUrl": "wss://node.example/v3/${key}"`),
    [`${key} → MAIN_NET_KEY_2`],
  )
  check("may be a parameter", network(`"url": "https://node.example/?apikey=${key}"`), [`${key} → MAIN_NET_KEY`])
  check(
    "is named after its environment too",
    `{ "environments": { "prod": { "networks": { "1": { "url": "https://node.example/v3/${key}" } } } } }`,
    [`${key} → PROD_1_KEY`],
  )
  check(
    "may be the password of the ledger's server",
    `{ "ledger": "rediss://:${key}@redis.example:6379" }`,
    [`${key} → REDIS_PASSWORD`],
    `{ "ledger": "rediss://:{{$secret.REDIS_PASSWORD}}@redis.example:6379" }`,
  )
  for (const scheme of ["postgres", "postgresql"])
    check(
      `may be the password of the ledger's database, at ${scheme}:`,
      `{ "ledger": "${scheme}://ada:${key}@db.example/team" }`,
      [`${key} → POSTGRES_PASSWORD`],
      `{ "ledger": "${scheme}://ada:{{$secret.POSTGRES_PASSWORD}}@db.example/team" }`,
    )
  check("may be in a comment", `{ // https://node.example/v3/${key}\n}`, [`${key} → API_KEY`])
  check(
    "cannot be a secret among variables",
    `{ "environments": { "prod": { "vars": { "deep": { "apiKey": "${key}" }, "node": "https://node.example/v3/${key}" } } } }`,
    [`${key} → elsewhere`, `${key} → elsewhere`],
  )
  check("is found while the file is being typed", `{ "networks": { "a": { "url": "https://h.example/v3/${key}`, [
    `${key} → A_KEY`,
  ])
  check(
    "is none of these",
    network(`"url": "http://127.0.0.1:8645/evm/v3/local", "explorer": "https://scan.example/chains/main-net"`),
    [],
  )
})

it("a key that is encoded in its address is kept as it is", () => {
  const [found] = keysInConfig(`{ "ledger": "redis://:a%2Fb%3Ac@127.0.0.1" }`)
  expect(found?.move === undefined ? undefined : Redacted.value(found.move.value)).toBe("a/b:c")
})

it("where no secret can be written, the message says what to do instead", () => {
  const [found] = keysInConfig(`{ "environments": { "prod": { "vars": { "apiKey": "${key}" } } } }`)
  expect(found?.message).toBe(
    "the file contains a value that looks like a secret: remove it, write {{$secret.API_KEY}} where requests use apiKey, and replace the key",
  )
})
