/** `dotrpc prices`, and `--prices` of plans. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const logs = `### Logs
eth_getLogs [{ "fromBlock": "latest" }]

`
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
    expect((await at("run", "all.rpc", "--dry-run", "--prices", "alchemy")).stdout).toMatch(/60\+ CU +\$0\.000027\+\n/))

  it("says what a scan would cost elsewhere", async () => {
    const params = '[{"fromBlock":"0x0","toBlock":"latest"}]'
    const { code, stdout } = await at(
      "scan",
      "eth_getLogs",
      params,
      "--network",
      "evm",
      "--plan",
      "--prices",
      "alchemy",
    )
    expect(code).toBe(0)
    const [, calls] = /calls +([\d,]+) to/.exec(stdout) ?? []
    expect(stdout).toMatch(
      new RegExp(
        `\\nalchemy: ${Number(calls?.replaceAll(",", "")) * 60} to .* CU\\n`.replace(/(\d)(?=(\d{3})+ to)/g, "$1,"),
      ),
    )
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
  refuse("with a scan", /add --plan/, "scan", "eth_getLogs", "[{}]", "--prices", "alchemy")
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
