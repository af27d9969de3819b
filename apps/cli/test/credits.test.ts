import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canary, requests, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { type HttpGateway, startGateway } from "./httpGateway.ts"
import { spawnAt } from "./process.ts"

const root = temporaryFolder()
let projects = 0

/** A project of its own for a user of its own. */
const makeProject = (config: object) => {
  const cwd = join(root, `${projects++}`)
  const data = join(cwd, "data")
  mkdirSync(cwd)
  copyFileSync(join(requests, "good.rpc"), join(cwd, "good.rpc"))
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
  const place = { cwd, env: { XDG_DATA_HOME: data } }
  const dotrpc = (...args: ReadonlyArray<string>) => startAt(place, ...args).outcome
  const credits = async (...args: ReadonlyArray<string>) =>
    JSON.parse((await dotrpc("credits", "--format", "json", ...args)).stdout) as Credits
  return { cwd, place, file: join(data, "dotrpc", "credits.json"), dotrpc, credits }
}

interface Credits {
  readonly accounts?: ReadonlyArray<Record<string, unknown>>
  readonly reserved: number
  readonly daily: number
  readonly spent: number
  readonly remaining: number
  readonly resetsAt: string
  readonly byMethod: Readonly<Record<string, number>>
  readonly byNetwork: Readonly<Record<string, number>>
  readonly byHour: Readonly<Record<string, number>>
  readonly byFile: Readonly<Record<string, number>>
  readonly byTool: Readonly<Record<string, number>>
}

describe("the balance in the user's file", () => {
  it("is shared by two runs, and `dotrpc credits` tells both", async () => {
    const { credits, dotrpc, place } = makeProject({ ledger: "file" })
    await Promise.all([1, 2].map(() => spawnAt(place, "run", "good.rpc").outcome))
    const { byFile, byHour, byTool, resetsAt, ...told } = await credits()
    expect(Object.values(byHour).reduce((sum, spent) => sum + spent, 0)).toBe(670)
    for (const hour of Object.keys(byHour)) expect(hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
    expect([byTool, byFile]).toEqual([{ "dotrpc run": 670 }, { "good.rpc": 670 }])
    expect(told).toEqual({
      daily: 3_000_000,
      spent: 670,
      reserved: 0,
      remaining: 2_999_330,
      byMethod: { eth_getLogs: 510, eth_getTransactionReceipt: 160 },
      byNetwork: { evm: 670 },
    })
    const shown = (await dotrpc("credits")).stdout
    expect(shown).toMatch(/\n {2}on evm +670\n/)
    expect(shown).toMatch(
      /\nthe latest 24 hours, by program, file and hour:\n {2}dotrpc run good\.rpc +670\n {2}\d\d:00 UTC +670\n/,
    )
    expect(resetsAt).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  })

  it("is one of several where networks have price sheets: each account in its own unit and window", async () => {
    const { credits, dotrpc, file } = makeProject({
      ledger: "file",
      networks: {
        evm: { plugin: "evm", url: "embedded:evm", prices: "alchemy" },
        l2: { plugin: "l2-events", url: "embedded:l2" },
      },
      limits: { accounts: { alchemy: 1_000 } },
    })
    const run = await dotrpc("run", "good.rpc")
    expect(run.code).toBe(0)
    expect(run.stdout).toMatch(/80 CU spent · 920 left until \d{4}-\d\d-01 00:00 UTC\n$/)
    const plan = await dotrpc(
      "scan",
      "eth_getLogs",
      '[{"fromBlock":"0x0","toBlock":"0x1"}]',
      "--network",
      "evm",
      "--dry-run",
    )
    expect(plan.stdout).toMatch(/\nCU +60 or more[^]*--probe would send eth_getLogs [^\n]* for 60 CU\n/)
    const { accounts = [], ...common } = await credits()
    expect(common).toMatchObject({ daily: 3_000_000, spent: 0, reserved: 0, remaining: 3_000_000 })
    expect(accounts).toEqual([
      {
        prices: null,
        unit: "credits",
        networks: expect.arrayContaining(["l2"]),
        daily: 3_000_000,
        spent: 0,
        reserved: 0,
        remaining: 3_000_000,
        resetsAt: common.resetsAt,
        byMethod: {},
      },
      {
        prices: "alchemy",
        unit: "CU",
        networks: ["evm"],
        limit: 1_000,
        spent: 80,
        reserved: 0,
        remaining: 920,
        resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
        byMethod: { eth_getLogs: 60, eth_getTransactionReceipt: 20 },
      },
    ])
    expect(existsSync(file.replace(".json", ".alchemy.json"))).toBe(true)
    const { stdout } = await dotrpc("credits")
    expect(stdout).toContain("Alchemy (evm)\n920 of 1,000 CU left until ")
    expect(stdout).toContain("80 CU spent this month\n")
    const set = await dotrpc("credits", "set", "500", "--network", "evm")
    expect(set.stdout).toBe("500 CU spent this month\n")
    expect((await credits()).accounts).toMatchObject([{ spent: 0 }, { spent: 500, remaining: 500 }])
    const refused = await dotrpc("run", "good.rpc", "--max-credits", "30")
    expect(refused.code).toBe(4)
  })

  it("sends nothing for a provider that does not exist, and says where it is named", async () => {
    const { dotrpc } = makeProject({ networks: { evm: { plugin: "evm", url: "embedded:evm", prices: "alchmy" } } })
    for (const command of ["run", "check"]) {
      const { code, stderr, stdout } = await dotrpc(command, "good.rpc")
      expect(code).toBe(2)
      expect(stderr + stdout).toMatch(/rpc\.config\.json:1:\d+: .*unknown provider "alchmy"; did you mean "alchemy"\?/)
    }
  })

  it("ends the second run where the first has left too little of `limits.daily`", async () => {
    const { dotrpc } = makeProject({ ledger: "file", limits: { daily: 600 } })
    expect((await dotrpc("run", "good.rpc")).code).toBe(0)
    const { code, stdout } = await dotrpc("run", "good.rpc")
    expect(code).toBe(4)
    expect(stdout).toMatch(/the call needs 80 credits, and the daily limit of 600 has 10 left\. Nothing was sent\./)
  })

  it("keeps `limits.reserveForInteractive` from runs that nobody watches", async () => {
    const { dotrpc } = makeProject({ ledger: "file", limits: { daily: 600, reserveForInteractive: 0.5 } })
    const { code, stdout } = await dotrpc("run", "good.rpc")
    expect(code).toBe(4)
    expect(stdout).toMatch(/the daily limit of 600 has 345 left, and 300 are kept for interactive calls/)
  })

  it("is shown to people, by method and for one network", async () => {
    const { dotrpc } = makeProject({ ledger: "file" })
    await dotrpc("run", "good.rpc")
    const { stdout } = await dotrpc("credits")
    expect(stdout).toMatch(
      /^2,999,665 of 3,000,000 credits left until [\d-]{10} 00:00:00 UTC\n335 credits spent today\n {2}eth_getLogs {16}255\n {2}eth_getTransactionReceipt {2}80\n {2}on evm {21}335\nthe latest 24 hours, by program, file and hour:\n {2}dotrpc run good\.rpc {8}335\n {2}\d\d:00 UTC {18}335\n$/,
    )
    expect((await dotrpc("credits", "--network", "evm")).stdout).toMatch(/335 credits spent today on evm/)
    expect((await dotrpc("credits", "--network", "l2")).stdout).toMatch(/\n0 credits spent today on l2\n$/)
  })
})

describe("a balance whose file is damaged", () => {
  it("counts nothing and sends nothing until `dotrpc credits set`", async () => {
    const { credits, dotrpc, file } = makeProject({ ledger: "file" })
    await dotrpc("run", "good.rpc")
    writeFileSync(file, "no ledger any more")
    const refused = await dotrpc("run", "good.rpc")
    expect(refused.code).toBe(4)
    expect(refused.stdout + refused.stderr).toMatch(
      /credits\.json is damaged or of an earlier version[^]*dotrpc credits set SPENT/,
    )
    const told = await dotrpc("credits")
    expect([told.code, told.stderr]).toEqual([4, expect.stringMatching(/is damaged[^]*dotrpc credits set SPENT/)])
    expect(await dotrpc("credits", "set", "1000")).toMatchObject({ code: 0, stdout: "1,000 credits spent today\n" })
    expect((await dotrpc("run", "good.rpc")).code).toBe(0)
    expect(await credits()).toMatchObject({ spent: 1_335, byMethod: { "set by hand": 1_000 } })
  })
  const check = (spent: string, said: RegExp, config: object = { ledger: "file" }) =>
    it(`is not set to ${spent} with ${JSON.stringify(config)}`, async () => {
      const { code, stderr } = await makeProject(config).dotrpc("credits", "set", spent)
      expect([code, stderr]).toEqual([2, expect.stringMatching(said)])
    })
  for (const wrong of ["1e9", "1,000", "1.5", "99999999999999999999999", "9007199254740993"])
    check(wrong, new RegExp(`spent: expected a whole number of credits, such as 120000, got "${wrong}"`))
  check("10", /each run is counted separately here/, {})
})

describe("a project whose configuration names no ledger", () => {
  let gateway: HttpGateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  it("of embedded networks counts each run on its own, writes no file, and says so", async () => {
    const { credits, dotrpc, file } = makeProject({})
    await dotrpc("run", "good.rpc")
    expect(await credits()).toMatchObject({ spent: 0, remaining: 3_000_000, byMethod: {} })
    expect((await dotrpc("credits")).stderr).toMatch(/add "ledger": "file" to rpc\.config\.json to share a balance/)
    expect(existsSync(file)).toBe(false)
  })

  it("counts in the user's file from one command to the next, but not what embedded networks take", async () => {
    const { credits, cwd, dotrpc, file } = makeProject({
      networks: {
        node: { plugin: "evm", url: gateway.url },
        evm: { plugin: "evm", url: "embedded:evm" },
        alchemy: { plugin: "evm", url: "embedded:evm", prices: "alchemy" },
      },
    })
    const runs = async (network: string) => {
      writeFileSync(join(cwd, "a.rpc"), `# @network ${network}\neth_chainId []\n`)
      return JSON.parse((await dotrpc("run", "a.rpc", "--format", "json")).stdout) as { credits: { remaining: number } }
    }
    for (const network of ["evm", "evm", "alchemy"]) await runs(network)
    expect(existsSync(file)).toBe(false)
    const { remaining } = (await runs("node")).credits
    expect((await runs("node")).credits.remaining).toBe(remaining - (3_000_000 - remaining))
    expect((await runs("evm")).credits.remaining).toBe(remaining)
    expect(await credits()).toMatchObject({ spent: 2 * (3_000_000 - remaining), reserved: 0 })
  })

  it.each([
    ["below a file", "a file/data"],
    ["in a folder that takes no files from anyone", "/proc/data"],
  ])("counts one run alone, and says so, where no file can be written: %s", async (_, data) => {
    const { cwd, place } = makeProject({ networks: { evm: { plugin: "evm", url: gateway.url } } })
    writeFileSync(join(cwd, "a file"), "")
    const nowhere = { ...place, env: { XDG_DATA_HOME: resolve(cwd, data) } }
    const { code, stderr } = await startAt(nowhere, "run", "good.rpc").outcome
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/cannot be written: credits are counted for this run alone/),
    ])
  })

  it("costs nothing on a node of its own whose price for * is 0, and names the method that a price is meant for", async () => {
    const projectOf = (prices: object) =>
      makeProject({ networks: { evm: { plugin: "evm", url: gateway.url, credits: prices } } })
    const free = projectOf({ "*": 0 })
    const { code, stdout } = await free.dotrpc("run", "good.rpc", "--format", "json")
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { credits: { spent: 0 } }])
    expect((await free.credits()).spent).toBe(0)
    const refused = await projectOf({ "*": 0, eth_getLog: 5 }).dotrpc("run", "good.rpc")
    expect(refused.stdout + refused.stderr).toContain(
      'credits: unknown method "eth_getLog"; did you mean "eth_getLogs"?',
    )
  })
})

describe("a ledger that cannot be used", () => {
  const check = (what: string, config: object, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(what, async () => {
      const outcome = await makeProject(config).dotrpc(...args)
      expect(outcome.stdout + outcome.stderr).toMatch(said)
      expect(outcome.stdout + outcome.stderr).not.toContain(canary)
      expect(outcome.code).toBe(code)
    })
  const away = { ledger: "redis://:{{$secret.CANARY}}@127.0.0.1:9" }
  const why = /the Redis server at 127\.0\.0\.1:9 cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:9\)/
  check("refuses every request", away, ["run", "good.rpc"], 4, why)
  check("is what `dotrpc credits` says", away, ["credits"], 4, why)
  const database = { ledger: "postgres://ada:{{$secret.CANARY}}@127.0.0.1:9/team" }
  const gone = /the PostgreSQL server at 127\.0\.0\.1:9 cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:9\)/
  check("in a database refuses every request", database, ["run", "good.rpc"], 4, gone)
  check("in a database is what `dotrpc credits` says", database, ["credits"], 4, gone)
  check("in a database cannot be set", database, ["credits", "set", "5"], 4, gone)
  check(
    "without a secret is not tried",
    { ledger: "redis://:{{$secret.NOT_SET}}@127.0.0.1:9" },
    ["run", "good.rpc"],
    2,
    /the URL of the ledger needs NOT_SET, which is not set/,
  )
  check(
    "because it has another name is found before anything runs",
    { ledger: "files" },
    ["check", "good.rpc"],
    2,
    /rpc\.config\.json:1:\d+.*ledger: expected "memory", "file", or the URL of a Redis server/,
  )
  check(
    "for a network that is unknown",
    {},
    ["credits", "--network", "evn"],
    2,
    /unknown network "evn"; did you mean "evm"\?/,
  )
})
