/** `dotrpc reconcile`: what a provider says beside what the ledger counted. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sheetOf } from "@dotrpc/prices"
import { describe, expect, it } from "vitest"
import { requests, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { causesOf, type MethodDrift } from "../src/DriftCause.ts"
import { readUsage } from "../src/UsageExport.ts"

describe("a usage export", () => {
  const check = (name: string, text: string, expected: unknown) =>
    it(name, () => {
      const usage = readUsage(text, { one: "TU", many: "TUs" })
      expect(typeof usage === "string" ? usage : { ...usage, methods: Object.fromEntries(usage.methods) }).toEqual(
        expected,
      )
    })

  check(
    "is read as QuickNode's API gives it, and what it lists twice is added up",
    JSON.stringify({
      data: {
        methods: [
          { method_name: "eth_getLogs", credits_used: 60, archive: false },
          { method_name: "eth_getLogs", credits_used: 20, archive: true },
          { method_name: "eth_call", credits_used: 40, archive: false },
        ],
        start_time: 1_790_000_000,
        end_time: 1_790_086_400,
      },
      error: null,
    }),
    {
      methods: { eth_getLogs: { units: 80 }, eth_call: { units: 40 } },
      from: "2026-09-21T14:13:20.000Z",
      to: "2026-09-22T14:13:20.000Z",
    },
  )
  check(
    "is read as a CSV with any columns",
    '\uFEFFNetwork,Method,Requests,"Credits Used"\r\nmainnet,eth_getLogs,3,"1,020"\r\n\r\n',
    {
      methods: { eth_getLogs: { calls: 3, units: 1_020 } },
    },
  )
  check("may say calls alone", "method,count\neth_call,12\n", { methods: { eth_call: { calls: 12 } } })
  check("keeps cells with line breaks and quotes whole", 'method,note,calls\n"eth_call","a ""b""\nc",2\n', {
    methods: { eth_call: { calls: 2 } },
  })
  check(
    "is refused without a method",
    "network,calls\nmainnet,2\n",
    'has no column for methods: expected "method", "method name", "rpc method" or the like in its first line; found the columns "network", "calls"',
  )
  check("is read with other separators and names", "Date;JSON-RPC Method;Credit Usage\n2026-08-01;eth_call;1,020\n", {
    methods: { eth_call: { units: 1_020 } },
  })
  check("is read with columns parted by tabs", "methodName\ttotalRequests\r\neth_call\t7\r\n", {
    methods: { eth_call: { calls: 7 } },
  })
  check("is read with amounts named after the provider's unit", "method,TUs used\neth_call,3.5\n", {
    methods: { eth_call: { units: 3.5 } },
  })
  check(
    "is refused without an amount",
    "method,month\neth_call,May\n",
    expect.stringMatching(
      /^has no column for amounts: expected "credits used", .*; found the columns "method", "month"$/,
    ),
  )
  check(
    "is refused where JSON has no methods",
    '{"data":null,"error":"Unauthorized"}',
    expect.stringMatching(/^has no list of methods: expected .*; found the members "data", "error"$/),
  )
  check(
    "names a few of many columns",
    Array.from({ length: 40 }, (_, index) => `column ${index}`).join(),
    expect.stringMatching(/"column 11" and 28 more$/),
  )
  check(
    "is refused where a quote never ends",
    'method,calls\neth_a,1\n"eth_b,2\neth_c,3\n',
    "line 3 begins a quoted cell that never ends: close its quote",
  )
  check(
    "is refused where a method is too long to be one",
    `method,calls\n\n${"x".repeat(300)},1\n`,
    "line 3 has a method of 300 characters",
  )
  check(
    "takes names of members that every object has for what they are",
    '[{"method":"__proto__","calls":1},{"method":"constructor","calls":2}]',
    {
      methods: Object.fromEntries([
        ["__proto__", { calls: 1 }],
        ["constructor", { calls: 2 }],
      ]),
    },
  )
  check(
    "is refused where a number is none",
    '[{"method":"eth_call","calls":1e400}]',
    expect.stringMatching(/^entry 1 says neither/),
  )
  check("is refused where it is deep", `${"[".repeat(100_000)}`, expect.stringMatching(/^is not JSON: /))
  check(
    "is refused where it names more methods than a provider has",
    `method,calls\n${Array.from({ length: 1_001 }, (_, index) => `m${index},1\n`).join("")}`,
    "line 1002 is one method too many: expected at most 1000, as a provider has",
  )
  it("with many columns and many lines is read in a moment", () => {
    const lines = `${",".repeat(200_000)}method,calls\n${"x\n".repeat(200_000)}`
    expect(readUsage(lines, { one: "TU", many: "TUs" })).toBe("names no method")
  })
  check(
    "is refused where a line has no amount",
    "method,calls\neth_call,2\neth_getLogs,many\n",
    expect.stringMatching(/^line 3 says neither units nor calls/),
  )
  check(
    "is refused where an amount is negative",
    '[{"method":"eth_call","credits":-2}]',
    expect.stringMatching(/^entry 1 says neither/),
  )
  check("is refused when it is empty", " \n", "is empty")
  check("is refused when it is cut off", '{"data": [', expect.stringMatching(/^is not JSON: /))
})

describe("dotrpc reconcile", () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, "data"))
  copyFileSync(join(requests, "good.rpc"), join(cwd, "good.rpc"))
  writeFileSync(
    join(cwd, "rpc.config.json"),
    JSON.stringify({ ledger: "file", networks: { evm: { plugin: "evm", url: "embedded:evm", prices: "alchemy" } } }),
  )
  const dotrpc = (...args: ReadonlyArray<string>) =>
    startAt({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } }, ...args).outcome

  it("shows the drift of each method, and of all", async () => {
    expect((await dotrpc("run", "good.rpc")).code).toBe(0)
    writeFileSync(join(cwd, "usage.csv"), "method,credits\neth_getLogs,60\neth_call,26\n")
    const { code, stdout } = await dotrpc("reconcile", "usage.csv", "--prices", "alchemy", "--format", "json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      prices: "alchemy",
      unit: "CU",
      from: null,
      to: null,
      methods: [
        { method: "eth_getLogs", provider: 60, calls: null, ledger: 60, drift: 0 },
        { method: "eth_call", provider: 26, calls: null, ledger: 0, drift: -26 },
        { method: "eth_getTransactionReceipt", provider: 0, calls: 0, ledger: 20, drift: 20 },
      ],
      total: { provider: 86, ledger: 80, drift: -6 },
      reserved: 0,
      causes: [
        {
          method: "eth_call",
          units: -26,
          cause: "only-provider",
          words: expect.stringMatching(/^asked by other programs/),
        },
        { method: "eth_getTransactionReceipt", units: 20, cause: "only-ledger", words: expect.any(String) },
      ],
    })
    const pretty = await dotrpc("reconcile", "usage.csv", "--prices", "alchemy")
    expect(pretty.stdout).toContain("Alchemy, and the ledger this month, in CU")
    expect(pretty.stdout).toMatch(/eth_call +26 +0 +-26/)
    expect(pretty.stdout).toContain(
      "The provider counts 6 CU more than the ledger.\n  -26 eth_call: asked by other programs",
    )
  })

  it("prices calls by the sheet where the file says calls alone", async () => {
    writeFileSync(join(cwd, "calls.csv"), "method,calls\neth_getLogs,1\n")
    const { stdout } = await dotrpc("reconcile", "calls.csv", "--prices", "alchemy", "--format", "json")
    expect(JSON.parse(stdout)).toMatchObject({
      methods: [{ method: "eth_getLogs", provider: 60, ledger: 60, drift: 0 }, {}],
    })
  })

  const alchemy = sheetOf("alchemy") ?? expect.fail("there is no such sheet")
  const checkCause = (name: string, drift: Omit<MethodDrift, "drift" | "method">, method: string, expected: RegExp) =>
    it(`explains a difference by ${name}`, () => {
      const all = { method, ...drift, drift: drift.ledger - (drift.provider ?? 0) }
      expect(causesOf(alchemy, [all]).map(({ cause, units, words }) => `${units} ${cause} ${words}`)).toEqual([
        expect.stringMatching(expected),
      ])
    })
  const ledger = (ledger: number, provider: number, calls?: number) => ({ ledger, provider, calls })
  checkCause("programs that were killed", ledger(80, 0), "left behind", /^80 killed set aside by programs/)
  checkCause("what was set by hand", ledger(300, 0), "set by hand", /^300 set-by-hand /)
  checkCause(
    "another price",
    ledger(60, 75, 1),
    "eth_getLogs",
    /^-15 price .* charged 75 a call, and the sheet says 60$/,
  )
  checkCause("replies that broke off", ledger(180, 60, 1), "eth_getLogs", /^120 calls 2 calls more than/)
  checkCause("calls of other programs", ledger(60, 120), "eth_getLogs", /^-60 calls 1 call fewer than/)
  checkCause("no calls that it knows of", ledger(61, 60), "eth_getLogs", /^1 unknown /)

  const checkRefused = (name: string, args: ReadonlyArray<string>, said: RegExp) =>
    it(`is refused ${name}`, async () => {
      const { code, stderr } = await dotrpc("reconcile", ...args)
      expect(code).toBe(2)
      expect(stderr).toMatch(said)
    })
  checkRefused("for a provider that does not exist", ["usage.csv", "--prices", "alchmy"], /did you mean "alchemy"/)
  checkRefused(
    "for a provider that pays for no network",
    ["usage.csv", "--prices", "infura"],
    /add "prices": "infura" to a network/,
  )
  checkRefused("without a file", ["missing.csv", "--prices", "alchemy"], /missing\.csv/)
  checkRefused(
    "for a file that is not an export",
    ["good.rpc", "--prices", "alchemy"],
    /good\.rpc has no column for methods/,
  )
})
