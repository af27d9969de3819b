import { describe, expect, it } from "vitest"
import { parseConfig } from "../src/index.ts"

const check = (config: object, expected: RegExp | undefined) =>
  it(`${JSON.stringify(config)} is ${expected === undefined ? "accepted" : "refused"}`, () => {
    const text = JSON.stringify(config)
    const { problems } = parseConfig(text)
    if (expected === undefined) expect(problems).toEqual([])
    else
      expect(problems.map(({ end, message, start }) => `${message} at ${text.slice(start, end)}`).join()).toMatch(
        expected,
      )
  })

describe("the place of the balance", () => {
  check({ ledger: "memory" }, undefined)
  check({ ledger: "file" }, undefined)
  check({ ledger: "redis://127.0.0.1:6379/2" }, undefined)
  check({ ledger: "rediss://:{{$secret.PASSWORD}}@redis.example" }, undefined)
  check({ ledger: "postgres://ada:{{$secret.PASSWORD}}@db.example:5432/team?sslmode=require" }, undefined)
  check({ ledger: "postgresql://db.example/team" }, undefined)
  check({ ledger: "postgres://" }, /or of a PostgreSQL server such as "postgres:\/\/db.example\/team"/)
  check(
    { ledger: "files" },
    /ledger: expected "memory", "file", or the URL of a Redis server.*, found "files" at "ledger"/,
  )
  check({ ledger: "redis://" }, /ledger: expected "memory"/)
  check({ ledger: "http://127.0.0.1" }, /ledger: expected "memory"/)
  check({ ledger: true }, /ledger: expected/)

  for (const ledger of [
    "redis//:hunter2@host",
    "postgres//ada:hunter2@host",
    "reddis://user:hunter2@host",
    "redis:/:hunter2@host",
    ":hunter2@host",
    { url: "redis://:hunter2@host" },
    ["redis://:hunter2@host"],
  ])
    it(`is not quoted where it may hold a password: ${JSON.stringify(ledger)}`, () => {
      const [problem, ...others] = parseConfig(JSON.stringify({ ledger })).problems
      expect(others).toEqual([])
      expect(problem?.message).toMatch(/^ledger: expected /)
      expect(problem?.message).not.toContain("hunter2")
    })
})

describe("networks", () => {
  check(
    { networks: { a: { preset: "base", url: "https://x.example", explorer: "https://scan.example", spanCap: 500 } } },
    undefined,
  )
  check({ networks: { a: { explorer: "scan" } } }, /networks.a.explorer: expected the URL of an explorer/)
  check({ networks: { a: { chainId: "0x1" } } }, /networks.a.chainId: expected a whole number above 0/)
  check({ networks: { a: { spanCap: 0 } } }, /networks.a.spanCap: expected a whole number above 0/)
})

describe("labels", () => {
  const of = (labels: unknown) => ({ networks: { a: { plugin: "evm", url: "https://x.example", labels } } })
  const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
  check(of({ [token]: "Token" }), undefined)
  check(of({ [token]: 7 }), /networks\.a\.labels\.0x5FbD.*expected a string/)
  check(of({ [token]: " " }), /expected a name, found an empty string at "0x5FbDB2315678afecb367f032d93F642f64180aa3"/)
  check(of({ [token]: "0x5fbd…0aa3" }), /expected a name, found what looks like an address at "0x5FbDB/)
  check(
    of({ [token]: "Token", [token.toLowerCase()]: "Other" }),
    /the address has a label already: remove one of them at "0x5fbdb2315678afecb367f032d93f642f64180aa3"/,
  )
  check(
    { environments: { e: { networks: of({ "0x0ABC": "One", "0xabc": "Two" }).networks } } },
    /environments\.e\.networks\.a\.labels\.0xabc: the address has a label already/,
  )
})

describe("URLs", () => {
  const of = (member: "url" | "wsUrl", character: string) => ({
    networks: { a: { plugin: "evm", [member]: `https://x.example/${character}secret` } },
  })
  for (const character of ["\n", "\r", "\t", "\u0000", "\u0085", "\u2028", "\u202e", "\u200b", "\ud800"])
    for (const member of ["url", "wsUrl"] as const)
      check(
        of(member, character),
        new RegExp(`networks\\.a\\.${member}: the ${member} contains a line break, a tab or an`),
      )
  check({ environments: { e: of("url", "\n") } }, /environments\.e\.networks\.a\.url: the url contains a line break/)
})

describe("headers", () => {
  const of = (headers: unknown) => ({ networks: { a: { plugin: "evm", url: "https://x.example", headers } } })
  check(of({ Authorization: "Bearer {{$secret.T}}", "X-Region": "{{ $env.REGION }}-1" }), undefined)
  check(of({}), undefined)
  check(of({ Host: "a" }), /networks\.a\.headers\.Host: "Host" is a header that dotrpc/)
  check(
    { environments: { e: { networks: of({ te: "a" }).networks } } },
    /environments\.e\.networks\.a\.headers\.te: "te" is/,
  )

  it.each([
    [
      { Authorization: "Bearer ${T}-hunter2" },
      "has a placeholder that is neither a secret nor an environment variable",
    ],
    [{ Authorization: "hunter2 {{T}}" }, "has a placeholder"],
    [{ Authorization: "hunter2\u200b" }, "contains a line break, an invisible character"],
    [{ Authorization: "hunter2\r\nHost: a" }, "contains a line break"],
    [{ "hunter2 ": "a" }, "the name of a header contains"],
    [{ a: "1", A: "hunter2" }, '"A" is the same header as "a"'],
    [{ Authorization: ["hunter2"] }, "expected a string"],
    ["hunter2", "expected"],
    [20_021_202, "expected"],
  ])("are not quoted where they are wrong: %j", (headers, expected) => {
    const text = JSON.stringify(of(headers))
    const [problem, ...others] = parseConfig(text).problems
    expect(others).toEqual([])
    expect(problem?.message).toContain(expected)
    expect(problem?.message.replace(/^networks[^:]*: /, "")).not.toMatch(/hunter2|20021202/)
    expect(problem?.start).toBeGreaterThanOrEqual(text.indexOf('"headers"'))
  })

  it("have a problem at their name", () => {
    const text = '{ "networks": { "a": { "headers": { "x-a": "1", "__proto__": "2" } } } }'
    const [problem] = parseConfig(text).problems
    expect(text.slice(problem?.start, problem?.end)).toBe('"__proto__"')
  })
})

describe("limits", () => {
  check({ limits: { daily: 0, perSecond: 500, reserveForInteractive: 0.1 } }, undefined)
  check({ limits: { perSecond: 0 } }, /limits\.perSecond: expected a whole number above 0.*, found 0 at "perSecond"/)
  check({ limits: { reserveForInteractive: 1 } }, /limits\.reserveForInteractive: expected a share of at least 0/)
})

describe("what is not a configuration", () => {
  const checkText = (text: string, expected: string) =>
    it(JSON.stringify(text), () => expect(parseConfig(text).problems.map(({ message }) => message)).toEqual([expected]))
  checkText("", "expected an object: { … }")
  checkText("null", "expected an object: { … }")
  checkText("[1]", "the file: expected an object, found [1]")
  checkText("{} x", "unexpected text after the object; remove it")
  checkText('{ "limits": { "daily": 0x10 } }', "JSON has no hex numbers; write it in decimal")
  checkText('{ "ledger": file }', "expected a value; a string needs double quotes")
})
