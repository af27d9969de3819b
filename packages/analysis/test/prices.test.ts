/** Price sheets that a configuration names, and the accounts that its networks are paid from. */
import { Evm } from "@dotrpc/plugin-evm"
import { describe, expect, it } from "vitest"
import {
  accountLimit,
  assumedPlan,
  makeWorkspace,
  parsePriceSheet,
  type ProjectConfig,
  readPriceSheets,
} from "../src/index.ts"

const ours = {
  id: "ours",
  title: "Ours",
  unit: { one: "RU", many: "RU" },
  window: { kind: "month" },
  sources: ["https://ours.example/prices"],
  rules: [{ methods: ["*"], price: 3 }],
  settle: [],
  plans: [{ title: "Team", allowance: 5_000 }],
}

const read = async (config: ProjectConfig, files: Readonly<Record<string, string>> = {}) => {
  const sheetFiles = await readPriceSheets(config, "file:///p/rpc.config.json", async (uri) =>
    Object.hasOwn(files, uri) ? files[uri] : undefined,
  )
  return makeWorkspace({
    plugins: [Evm.plugin],
    config,
    sheetFiles,
    env: (name) => (name.startsWith("KEY") ? `value-of-${name}` : undefined),
    now: 0,
  })
}

const alchemy = (chain: string, key: string) => ({
  plugin: "evm",
  url: `https://${chain}.alchemy.example/v2/${key}`,
  prices: "alchemy",
})

describe("the account of a network", () => {
  const check = (name: string, config: ProjectConfig, expected: Readonly<Record<string, string | undefined>>) =>
    it(name, async () => {
      const { problems, workspace } = await read(config, { "file:///p/ours.json": JSON.stringify(ours) })
      expect(problems).toEqual([])
      const own = Object.keys(config.networks ?? {})
      const found = workspace.networks.flatMap(({ network: { account, id } }) =>
        own.includes(id) ? [[id, account]] : [],
      )
      expect(Object.fromEntries(found)).toEqual(expected)
    })

  const one = "{{$secret.KEY_ONE}}"
  const two = "{{$secret.KEY_TWO}}"
  const shared = "alchemy-44b62ece"
  check(
    "is shared by networks with the same sheet and key",
    {
      networks: { a: alchemy("eth", one), b: alchemy("polygon", one), c: alchemy("eth", two) },
    },
    { a: shared, b: shared, c: "alchemy-cd70fb54" },
  )
  const headed = (headers: Readonly<Record<string, string>>) => ({
    plugin: "evm",
    url: "https://eth.alchemy.example/v2",
    prices: "alchemy",
    headers,
  })
  check(
    "is the same for a key in a header as for one in a URL",
    {
      networks: {
        a: alchemy("eth", one),
        b: headed({ Authorization: `Bearer ${one}` }),
        c: headed({ "X-Client": "dotrpc", "X-Api-Key": one }),
        d: headed({ Authorization: "Bearer value-of-KEY_ONE" }),
        e: headed({ Authorization: `Bearer ${two}` }),
        f: headed({ "X-Client": "dotrpc" }),
      },
    },
    { a: shared, b: shared, c: shared, d: shared, e: "alchemy-cd70fb54", f: "alchemy" },
  )
  check(
    "is the provider's alone where no key is known",
    {
      networks: {
        a: { plugin: "evm", url: "https://rpc.example", prices: "ankr" },
        b: { plugin: "evm", url: "embedded:evm", prices: "ankr" },
      },
    },
    { a: "ankr", b: "ankr" },
  )
  check("is none without a sheet", { networks: { a: { plugin: "evm", url: "https://rpc.example" } } }, { a: undefined })
  check(
    "comes from the sheet for all, unless a network has its own",
    {
      prices: "infura",
      networks: {
        a: { plugin: "evm", url: "embedded:evm" },
        b: { plugin: "evm", url: "embedded:evm", prices: "./ours.json" },
      },
    },
    { a: "infura", b: "own-ours" },
  )

  it("is another one at another site, which would learn a guess from what is left of it", async () => {
    const at = (url: string) => ({ plugin: "evm", url: `${url}/v2/${one}`, prices: "alchemy" })
    const { workspace } = await read({
      networks: {
        a: at("https://eth.alchemy.example"),
        b: at("https://polygon.g.alchemy.example"),
        c: at("https://alchemy.example.other"),
        d: at("http://127.0.0.1:81"),
        e: at("http://127.0.0.1:82"),
      },
    })
    const [a, b, ...others] = ["a", "b", "c", "d", "e"].map(
      (id) => workspace.networks.find(({ network }) => network.id === id)?.network.account,
    )
    expect(b).toBe(a)
    expect(new Set([a, ...others]).size).toBe(4)
  })

  it("contains nothing of the key", async () => {
    const { workspace } = await read({ networks: { a: alchemy("eth", "0123456789abcdef0123456789abcdef") } })
    const [found] = workspace.networks
    expect(found?.network.account).toMatch(/^alchemy-[\da-f]{8}$/)
    expect(found?.network.account).not.toContain("0123")
  })
})

describe("a sheet that cannot be used is reported where it is named", () => {
  const check = (
    name: string,
    config: ProjectConfig,
    expected: ReadonlyArray<unknown>,
    files?: Readonly<Record<string, string>>,
  ) => it(name, async () => expect((await read(config, files)).problems).toEqual(expected))

  const network = { plugin: "evm", url: "embedded:evm" }
  check("a provider that does not exist", { networks: { a: { ...network, prices: "alchmy" } } }, [
    { message: 'unknown provider "alchmy"; did you mean "alchemy"?', path: ["networks", "a", "prices"] },
  ])
  check("a name that is like none", { prices: "zzzzzz" }, [
    {
      message: 'unknown provider "zzzzzz"; dotrpc prices lists all of them; a file needs its path, such as ./ours.json',
      path: ["prices"],
    },
  ])
  check(
    "a name that every object has, in an environment",
    { environments: { prod: { networks: { a: { ...network, prices: "constructor" } } } } },
    [
      {
        message:
          'unknown provider "constructor"; dotrpc prices lists all of them; a file needs its path, such as ./ours.json',
        path: ["environments", "prod", "networks", "a", "prices"],
      },
    ],
  )
  check(
    "a limit of an account that no network has",
    { prices: "alchemy", limits: { accounts: { alchmy: 5, ours: 5 } } },
    [
      {
        message: 'no network has the price sheet "alchmy"; did you mean "alchemy"?',
        path: ["limits", "accounts", "alchmy"],
      },
      {
        message: 'no network has the price sheet "ours"; expected one of alchemy',
        path: ["limits", "accounts", "ours"],
      },
    ],
  )
  check("a limit of an account without any price sheet", { limits: { accounts: { alchemy: 5 } } }, [
    {
      message: 'no network has the price sheet "alchemy"; add "prices" to the networks it is for',
      path: ["limits", "accounts", "alchemy"],
    },
  ])
  check(
    "unless it is the id of a file, of which only the first mistake is reported",
    { prices: "./ours.json", limits: { accounts: { ours: 5 } } },
    [],
    { "file:///p/ours.json": JSON.stringify(ours) },
  )
  check("a file that is not there", { prices: "./ours.json", limits: { accounts: { ours: 5 } } }, [
    { message: "./ours.json cannot be read", path: ["prices"] },
  ])
  check(
    "a file with a negative price",
    { prices: "./ours.json" },
    [
      {
        message: expect.stringMatching(
          /^\.\/ours\.json:1:\d+: rules\[0\]\.price: expected a number from 0 to 1000000000000/,
        ),
        path: ["prices"],
      },
    ],
    { "file:///p/ours.json": JSON.stringify({ ...ours, rules: [{ methods: ["*"], price: -3 }] }) },
  )
})

describe("the limit of an account", () => {
  const check = (name: string, limits: NonNullable<ProjectConfig["limits"]>, kind: "day" | "month", expected: number) =>
    it(name, () =>
      expect(accountLimit(limits, { ...ours, window: { kind } } as Parameters<typeof accountLimit>[1])).toBe(expected),
    )
  check("is the allowance of the first plan", {}, "month", 5_000)
  check("is what limits.accounts says of the sheet", { accounts: { ours: 70 }, daily: 9 }, "day", 70)
  check("is limits.daily for an account that is counted by the day", { daily: 9 }, "day", 9)
  check("is not limits.daily for one that is counted by the month", { daily: 9 }, "month", 5_000)
  it("is none where no plan has an allowance", () =>
    expect(accountLimit({}, { ...ours, plans: [] } as Parameters<typeof accountLimit>[1])).toBe(Infinity))
})

describe("a hostile sheet is refused at once", () => {
  const check = (what: string, text: string, expected: string) =>
    it(what, () => {
      const { problems, sheet } = parsePriceSheet(text)
      expect(sheet).toBeUndefined()
      expect(problems.length).toBeLessThanOrEqual(100)
      expect(problems[0]?.message).toContain(expected)
    })
  const withRules = (rules: string) => JSON.stringify({ ...ours, rules: 0 }).replace('"rules":0', `"rules":[${rules}]`)

  check(
    "where it is long",
    withRules('{"methods":["eth_a"],"price":1},'.repeat(2_000)),
    "at most 32,000 characters, and this file has 64,",
  )
  check("where it is deep", `{"id":${"[".repeat(10_000)}`, "never closed")
  check("where all of it is wrong", withRules('{"price":-1},'.repeat(1_000)), '"methods" is missing')
  check(
    "where a member has a name that every object has",
    withRules('{"methods":["*"],"price":1,"__proto__":{"price":0}}'),
    'unknown member "__proto__"',
  )
  check("where a price is beyond all numbers", withRules('{"methods":["*"],"price":1e400}'), "found 1e400")
  check("where a price has too many digits", withRules('{"methods":["*"],"price":0.30000000000000000001}'), "found 0.3")
})

describe("the plan that a limit is taken from", () => {
  const sheet = { ...ours, window: { kind: "month" as const } }
  const check = (
    what: string,
    limits: NonNullable<ProjectConfig["limits"]>,
    expected: string | undefined,
    of: Parameters<typeof assumedPlan>[1] = sheet,
  ) => it(what, () => expect(assumedPlan(limits, of)?.title).toBe(expected))

  check("is the first with an allowance", {}, "Team")
  check("is none where the account has a limit", { accounts: { ours: 5 } }, undefined)
  check("is none where a day has one", { daily: 5 }, undefined, { ...sheet, window: { kind: "day" } })
  check("does not depend on the limit of a day where it counts by month", { daily: 5 }, "Team")
})
