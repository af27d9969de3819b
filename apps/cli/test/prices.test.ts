/** `dotrpc prices`, and `--prices` of plans. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const logs = `### Logs
eth_getLogs [{ "fromBlock": "latest" }]

`
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const folder = temporaryFolder()
writeFileSync(join(folder, "logs.rpc"), logs.repeat(3))
writeFileSync(join(folder, "all.rpc"), `### All\n# @all\n${logs.slice(9)}`)
writeFileSync(
  join(folder, "ours.json"),
  `{
  // What we agreed on.
  "id": "ours",
  "title": "Ours",
  "unit": { "one": "token", "many": "tokens" },
  "window": { "kind": "month" },
  "checked": "2999-12-31",
  "sources": ["https://prices.example/ours"],
  "rules": [{ "methods": ["*"], "price": 2 }],
  "settle": [],
}
`,
)
writeFileSync(
  join(folder, "wrong.json"),
  `{
  "id": "wrong",
  "title": "Wrong",
  "unit": { "one": "token", "many": "tokens" },
  "window": { "kind": "week" },
  "sources": [],
  "rules": [{ "methods": ["*"], "price": -2 }],
  "settle": []
}
`,
)
const at = (...args: ReadonlyArray<string>) => startAt({ cwd: folder }, ...args).outcome

describe("dotrpc prices", () => {
  it("lists every provider with its unit, window, day and source", async () => {
    const { code, stdout } = await dotrpc("prices")
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ +id +provider +unit +window +checked +source\n +alchemy +Alchemy +CU +month +2026-07-10/)
    expect(stdout).toMatch(/drpc +dRPC +CU +30 days/)
    expect(stdout).toMatch(/infura +Infura +credits +day +undated/)
  })

  it("lists them for programs", async () => {
    const { stdout } = await dotrpc("prices", "--format", "json")
    expect(JSON.parse(stdout)).toContainEqual({
      id: "chainstack",
      title: "Chainstack",
      unit: "RU",
      window: "month",
      checked: "2026-08-22",
      source: "https://docs.chainstack.com/docs/request-units",
    })
  })

  const check = (what: string, args: ReadonlyArray<string>, ...said: ReadonlyArray<string | RegExp>) =>
    it(what, async () => {
      const { code, stdout } = await at("prices", ...args)
      expect(code).toBe(0)
      for (const one of said) expect(stdout).toMatch(one)
    })
  check(
    "shows the prices of one",
    ["alchemy"],
    /^Alchemy, in CU; the balance resets each month; /,
    /\n +60 {2}[^\n]*eth_getLogs/,
    /Pay as you go: \$0\.45 for a million/,
  )
  check(
    "shows what more a call may cost",
    ["blockpi"],
    /50 more for each 200,000\s+bytes of the\s+reply after\s+200,000/,
  )
  check("shows what is not published", ["alchemy"], /~20 {2}every other/, /~ the provider does not publish this price/)
  check("says that a sheet is old", ["moralis"], /more than 180 days ago: prices may have changed/)
  check(
    "shows a sheet of your own",
    ["./ours.json"],
    /^Ours, in tokens; the balance resets each month; checked on 2999-12-31\n\nMethods\n +2 {2}every other\n/,
  )

  it("proposes the nearest provider for an unknown one", async () =>
    expect(await dotrpc("prices", "infure")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'dotrpc: unknown provider "infure"; did you mean "infura"?\n',
    }))

  it("says where a sheet of your own is wrong", async () =>
    expect(await at("prices", "./wrong.json")).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^dotrpc: wrong\.json:5:\d+: window[^]*\ndotrpc: wrong\.json:7:\d+: rules\[0\]\.price: expected a number from 0/,
      ),
    }))
})

describe("--prices", () => {
  it("says what a file would cost elsewhere, in units and in money", async () => {
    const { code, stdout } = await at("run", "logs.rpc", "--dry-run", "--prices", "alchemy,infura,./ours.json,alchemy")
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /765 credits in total; nothing was sent\n +prices of +would cost +in money\n +alchemy +180 CU +\$0\.000081\n +infura +765 credits\n +ours +6 tokens\n/,
    )
  })

  it("says it in the report", async () => {
    const { stdout } = await at(
      "run",
      "logs.rpc",
      "--dry-run",
      "--prices",
      "alchemy,blockpi,quicknode",
      "--format",
      "json",
    )
    expect(JSON.parse(stdout)).toMatchObject({
      credits: { estimated: { min: 765, max: 765 } },
      elsewhere: [
        { prices: "alchemy", unit: "CU", min: 180, max: 180, assumed: false, money: { usd: 0.000081 } },
        { prices: "blockpi", unit: "RU", min: 150, max: null, assumed: false, money: { usd: 0.00003, most: null } },
        { prices: "quicknode", unit: "API credits", min: 60, max: 60, assumed: true },
      ],
    })
  })

  it("leaves the report as it was without it", async () =>
    expect(JSON.parse((await at("run", "logs.rpc", "--dry-run", "--format", "json")).stdout)).not.toHaveProperty(
      "elsewhere",
    ))

  it("has no upper end for all pages", async () =>
    expect((await at("run", "all.rpc", "--dry-run", "--prices", "alchemy")).stdout).toMatch(
      / 100\+ CU +\$0\.000045\+\n/,
    ))

  it("says what a scan would cost elsewhere", async () => {
    const params = '[{"fromBlock":"0x0","toBlock":"latest"}]'
    const { code, stdout } = await at(
      "scan",
      "eth_getLogs",
      params,
      "--network",
      "evm",
      "--dry-run",
      "--prices",
      "alchemy",
    )
    expect(code).toBe(0)
    const low = (label: string) =>
      Number(new RegExp(`${label} +~?([\\d,]+) (?:to|or more)`).exec(stdout)?.[1]?.replaceAll(",", ""))
    // The scan reads by calls of 255 credits, and looks blocks up by calls of 80.
    const reads = (low("credits") - 80 * low("calls")) / 175
    expect(stdout).toMatch(
      new RegExp(
        `\\nalchemy: ~?${60 * reads + 20 * (low("calls") - reads)} CU or more \\(\\$[\\d.]+.*\\)\\n`.replace(
          /(\d)(?=(\d{3})+ CU)/g,
          "$1,",
        ),
      ),
    )
  })

  it("prices a mixed file by each provider's own rules", async () => {
    writeFileSync(join(folder, "mixed.rpc"), `${logs.repeat(3)}### Call\neth_call [{ "to": "${token}" }, "latest"]\n`)
    const { stdout } = await at("run", "mixed.rpc", "--dry-run", "--prices", "alchemy,blockpi,infura")
    expect(stdout).toMatch(/ alchemy +206 CU +\$0\.0000927\n/)
    expect(stdout).toContain("infura: the provider's page has no date: prices may have changed")
  })

  const refuse = (what: string, said: RegExp, ...args: ReadonlyArray<string>) =>
    it(`is refused ${what}, and nothing is sent`, async () => {
      const { code, stderr, stdout } = await at(...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(stderr).toMatch(said)
    })
  refuse(
    "with a run",
    /--prices compares what a plan would cost: add --dry-run/,
    "run",
    "logs.rpc",
    "--prices",
    "alchemy",
  )
  refuse("with a scan", /add --dry-run/, "scan", "eth_getLogs", "[{}]", "--prices", "alchemy")
  refuse(
    "with unknown providers",
    /"alchmy"; did you mean "alchemy"[^]*"zzz"; dotrpc prices lists all/,
    "run",
    "logs.rpc",
    "--dry-run",
    "--prices",
    "alchmy,zzz",
  )
  refuse(
    "without a name",
    /--prices names no price sheet: write the ids/,
    "run",
    "logs.rpc",
    "--dry-run",
    "--prices",
    ",",
  )
  refuse(
    "with a file that is not there",
    /no\.json cannot be read/,
    "run",
    "logs.rpc",
    "--dry-run",
    "--prices",
    "./no.json",
  )
})

describe("what is spent is said in the unit of the account it is paid from", () => {
  const cwd = temporaryFolder()
  const network = { plugin: "evm", url: "embedded:evm" }
  writeFileSync(
    join(cwd, "rpc.config.json"),
    JSON.stringify({
      networks: {
        plain: network,
        cu: { ...network, prices: "alchemy" },
        ru: { ...network, prices: "blockpi" },
      },
    }),
  )
  const get = "eth_getLogs [{}]\n\n"
  const file = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  file("cu.rpc", `###\n# @network cu\n${get}`)
  file("both.rpc", `###\n# @network plain\n${get}###\n# @network cu\n${get}`)
  file("budget.rpc", `###\n# @network cu\n# @budget 5\n${get}`)
  file("bytes.rpc", `###\n# @network ru\n# @budget 500\n${get}`)
  const range = '[{"fromBlock":"0x0","toBlock":"0x2"}]'

  const check = (what: string, said: RegExp, ...args: ReadonlyArray<string>) =>
    it(what, async () => {
      const { stderr, stdout } = await startAt({ cwd }, ...args).outcome
      expect(stdout + stderr).toMatch(said)
      expect((stdout + stderr).replaceAll(/--max-credits|255 credits|dotrpc credits/g, "")).not.toContain("credits")
    })
  it("by a report, for each request that is not paid in credits", async () => {
    const { stdout } = await startAt({ cwd }, "run", "both.rpc", "--format", "json").outcome
    const { files } = JSON.parse(stdout) as {
      readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<object> }>
    }
    expect(files[0]?.requests).toMatchObject([{ credits: 255 }, { credits: 60, unit: "CU" }])
    expect(files[0]?.requests[0]).not.toHaveProperty("unit")
  })
  check("by a run", / · 60 CU\n[^]*\n60 CU spent · /, "run", "cu.rpc")
  check("by a run that is paid from two accounts", /\n255 credits and 60 CU spent · /, "run", "both.rpc")
  check("by a plan of two accounts", /\n255 credits and 60 CU in total; /, "run", "both.rpc", "--dry-run")
  check(
    "by a plan that a limit does not cover",
    /--max-credits of 9 does not cover the 60 CU that/,
    "run",
    "cu.rpc",
    "--dry-run",
    "--max-credits",
    "9",
  )
  check(
    "by the last line of a scan",
    / items of blocks 0–2 · 1 call · 60 CU\n$/,
    "scan",
    "eth_getLogs",
    range,
    "--network",
    "cu",
  )
  check(
    "by a refusal of a scan",
    /the call needs 60 CU, and --max-credits of 9 /,
    "scan",
    "eth_getLogs",
    range,
    "--network",
    "cu",
    "--max-credits",
    "9",
  )
  check("by a refusal of # @budget", /the call needs 60 CU, and # @budget of 5 has 5 left/, "run", "budget.rpc")
  check("by a trace", /: [^\n]*, 60 CU of 60 reserved; ok\n/, "run", "cu.rpc", "--trace")
  check(
    "by a refusal for the length of the reply",
    /needs 16,?\d\d\d RU, and [^]*longest reply, 64 MiB: a lower limits\.replyBytes/,
    "run",
    "bytes.rpc",
  )
})
