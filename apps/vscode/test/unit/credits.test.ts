/** What is said about credits, and where they are counted. */
import type { PriceSheet } from "@dotrpc/spec"
import { Redacted } from "effect"
import { describe, expect, it, test } from "vitest"

import { type CreditsNode, creditsTree } from "../../src/credits/creditsTree.ts"
import { balanceLine, balanceSentences, untilReset } from "../../src/credits/creditsWords.ts"
import { keyOf, ledgerPlace, placeWords } from "../../src/credits/LedgerPlace.ts"
import type { ProjectBalance } from "../../src/credits/Ledgers.ts"

const now = Date.UTC(2030, 0, 31, 8, 30)

const standing = (parts: Partial<ProjectBalance["balance"]> = {}): ProjectBalance => ({
  balance: {
    daily: 3_000_000,
    spent: 335,
    reserved: 0,
    remaining: 2_999_665,
    lost: 0,
    resetsAt: new Date(Date.UTC(2030, 1, 1)),
    byMethod: { eth_getStorageAt: 80, eth_getLogs: 255 },
    byNetwork: { main: { eth_getLogs: 255 }, side: { eth_getStorageAt: 80 } },
    ...parts,
  },
  place: { kind: "window" },
})

describe("the time until the balance resets", () => {
  const check = (millis: number, expected: string) => expect(untilReset(new Date(now + millis), now)).toBe(expected)
  it("is reported in hours, near the end in minutes", () => {
    check(15.4 * 3_600_000, "15 h")
    check(90 * 60_000, "90 min")
    check(61_000, "2 min")
  })
  it("is never nothing", () => check(-5_000, "1 min"))
})

test("a line says what is left, and what was spent once something was", () => {
  expect(balanceLine(standing(), now)).toBe("2,999,665 credits left · 335 today · resets in 16 h")
  expect(balanceLine(standing({ spent: 0, remaining: 3_000_000 }), now)).toBe("3,000,000 credits left")
})

test("sentences say the same, and who shares the count", () => {
  expect(balanceSentences(standing({ reserved: 255 }), now)).toEqual([
    "2,999,665 of 3,000,000 credits left today, 335 credits spent.",
    "255 credits are reserved for calls in flight.",
    "The balance resets at 00:00 UTC, in 16 h.",
    'Counted in this window. Set "ledger" to "file" in rpc.config.json to share the count with terminals and other windows.',
  ])
})

describe("accounts at providers", () => {
  const { balance } = standing({ daily: 1_000, spent: 80, remaining: 920, byMethod: { eth_getLogs: 60, eth_call: 20 } })
  const prices = (unit: string, window: PriceSheet.Window): PriceSheet.PriceSheet => ({
    id: "ours",
    title: "Ours",
    unit: { one: unit, many: unit },
    window,
    sources: [],
    rules: [{ methods: ["*"], price: 1 }],
    settle: [],
  })
  const unlimited = { ...balance, daily: Infinity, remaining: Infinity, resetsAt: undefined }
  const project: ProjectBalance = {
    ...standing(),
    accounts: [
      { balance: standing().balance },
      { prices: prices("CU", { kind: "month" }), balance },
      { prices: prices("RU", { kind: "none" }), balance: unlimited },
    ],
  }

  it("stand in one line, each in its own unit", () =>
    expect(balanceLine(project, now)).toBe("2,999,665 credits left · 920 CU left · 80 RU spent"))

  it("have a sentence each", () =>
    expect(balanceSentences(project, now).slice(0, 3)).toEqual([
      "Other networks: 2,999,665 of 3,000,000 credits left, 335 credits spent today, resets in 16 h.",
      "Ours: 920 of 1,000 CU left, 80 CU spent this month, resets in 16 h.",
      "Ours: 80 RU spent in total.",
    ]))

  it("have a node each in the view, with what was spent by method", () =>
    expect(lines(creditsTree(project, new Map(), (file) => file, now)).slice(4, 10)).toEqual([
      "Ours: 920 CU left | of 1,000 · resets in 16 h",
      "  80 CU spent this month | ",
      "  60 | eth_getLogs",
      "  20 | eth_call",
      "Ours: 80 RU spent | ",
      "  80 RU spent in total | ",
    ]))

  it("show a reset that is days away in days", () =>
    expect(untilReset(new Date(now + 9.2 * 86_400_000), now)).toBe("9 days"))
})

const lines = (nodes: ReadonlyArray<CreditsNode>, indent = ""): ReadonlyArray<string> =>
  nodes.flatMap(({ children = [], description, label }) => [
    `${indent}${label} | ${description}`,
    ...lines(children, `${indent}  `),
  ])

describe("the view", () => {
  const show = (of: Parameters<typeof creditsTree>[0], files: ReadonlyMap<string, number> = new Map()) =>
    lines(creditsTree(of, files, (file) => file.replace("file:///", ""), now))

  it("groups what was spent by method, network and file, the most first, amounts before names", () => {
    const files = new Map([
      ["file:///a.rpc", 80],
      ["file:///b.rpc", 255],
    ])
    expect(show(standing(), files)).toEqual([
      "2,999,665 left | of 3,000,000 · resets in 16 h",
      "335 spent today | ",
      "By method | ",
      "  255 | eth_getLogs",
      "  80 | eth_getStorageAt",
      "By network | ",
      "  255 | main",
      "    255 | eth_getLogs",
      "  80 | side",
      "    80 | eth_getStorageAt",
      "By file, in this workspace | ",
      "  255 | b.rpc",
      "  80 | a.rpc",
    ])
  })
  it("names what nobody knows the purpose of", () =>
    expect(show(standing({ lost: 2_040, byMethod: {}, byNetwork: {} })).at(-1)).toBe(
      "2,040 | reserved by killed programs",
    ))
  it("says why the balance is not known", () =>
    expect(show({ why: "no server answers", advice: "Start it." })).toEqual(["Balance unknown | no server answers"]))
  it("is empty before a file was opened, for its welcome to show", () => expect(show(undefined)).toEqual([]))
})

describe("the place where credits are counted", () => {
  const workspace = {
    env: () => undefined,
    secret: (name: string) => (name === "PASSWORD" ? Redacted.make("canary") : undefined),
    networks: [],
  }
  const file = { path: "/home/me/credits.json" }
  const check = (ledger: string | undefined, expected: string, of: Parameters<typeof ledgerPlace>[2] = file) =>
    expect(placeWords(ledgerPlace(ledger === undefined ? {} : { ledger }, workspace, of, true))).toContain(expected)

  it("is the window where the configuration says nothing and all networks are built in, else the user's file", () => {
    check(undefined, "Counted in this window. Set")
    const config = { networks: { main: { plugin: "evm", url: "https://node.example" } } }
    expect(placeWords(ledgerPlace(config, workspace, file, true))).toContain("Shared with terminals")
  })
  it("is the user's file, where there can be one", () => {
    check("file", "Shared with terminals")
    check("file", "Kept for this workspace: no disk.", { missing: "no disk" })
  })
  it("is a server, whose address is not told", () => {
    check("redis://:{{$secret.PASSWORD}}@host", "Redis server")
    const place = ledgerPlace({ ledger: "redis://:{{$secret.PASSWORD}}@host" }, workspace, file, true)
    expect(JSON.stringify(place) + placeWords(place)).not.toContain("canary")
  })
  it("is the window in a folder that is not trusted, where no server is asked", () => {
    const place = ledgerPlace({ ledger: "redis://:{{$secret.PASSWORD}}@host" }, workspace, file, false)
    expect(placeWords(place)).toContain("not trusted")
    expect(ledgerPlace({ ledger: "file" }, workspace, file, false).kind).toBe("file")
  })
  it("is unknown while a secret of the address is missing", () =>
    check("redis://{{$secret.MISSING}}", "the URL of the ledger needs MISSING, which is not set"))
  it("is unknown on a PostgreSQL server, and says where it can be used", () => {
    check("postgres://ada:{{$secret.PASSWORD}}@db/team", "the editor cannot use a ledger on a PostgreSQL server")
    const place = ledgerPlace({ ledger: "postgres://ada:{{$secret.PASSWORD}}@db/team" }, workspace, file, true)
    expect(place).toMatchObject({ kind: "unknown", advice: expect.stringContaining("`dotrpc run`") })
  })
  it("is one for projects that name the same", () => {
    const key = (ledger: string) => keyOf(ledgerPlace({ ledger }, workspace, file, true))
    expect(key("file")).toBe(key("file"))
    expect(key("redis://a")).not.toBe(key("redis://b"))
    expect(key("memory")).not.toBe(key("file"))
  })
})
