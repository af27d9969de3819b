import { isDeep } from "@dotrpc/vitest/depth"
import { Json } from "@dotrpc/spec"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"
import { type HttpGateway, startGatewayOf, startSlowGateway } from "./httpGateway.ts"

const params = '[{"fromBlock":"0x0","toBlock":"0x5db"}]'

/** A folder with a configuration that names these networks. */
const folderWith = (networks: Json.Json): string => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, ledger: "memory" }))
  return folder
}

const scanIn = (folder: string, args: ReadonlyArray<string>) =>
  [{ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "scan", ...args] as const
const startIn = (folder: string, ...args: ReadonlyArray<string>) => startAt(...scanIn(folder, args))
const spawnIn = (folder: string, ...args: ReadonlyArray<string>) => spawnAt(...scanIn(folder, args))

const embedded = { evm: { plugin: "evm", url: "embedded:evm" }, l2: { plugin: "l2-events", url: "embedded:l2" } }

describe("the plan of a scan", () => {
  const all = '[{"fromBlock":"0x0","toBlock":"latest"}]'
  let gateway: HttpGateway
  let folder: string
  beforeAll(async () => {
    gateway = await startSlowGateway(0)
    folder = folderWith({ evm: { plugin: "evm", url: gateway.url } })
  })
  afterAll(() => gateway.close())

  const sent = async (...args: ReadonlyArray<string>) => {
    const before = gateway.calls()
    const { code, stdout } = await startIn(folder, "eth_getLogs", all, "--network", "evm", ...args).outcome
    expect(code).toBe(0)
    return { calls: gateway.calls() - before, stdout }
  }

  it("never spends without --probe, sends one call at most with it, and knows what was learned", async () => {
    expect((await sent("--dry-run")).calls).toBe(0)
    expect((await sent("--dry-run", "--probe")).calls).toBe(1)
    expect((await sent("--dry-run", "--probe")).calls).toBe(1)
    const known = await sent("--dry-run")
    expect(known.calls).toBe(0)
    expect(known.stdout).toMatch(/blocks 0–[\d,]+\ncalls {4}\d+ to \d+, likely \d+[^]*"latest" was block \d+ on 20/)
    // The end of the range is looked at as well.
    expect((await sent("--dry-run", "--probe")).calls).toBe(1)
    expect((await sent("--dry-run", "--probe")).calls).toBe(0)
  })
})

describe("what a scan has learned", () => {
  const text = (to: string) => `### logs\n# @all\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "${to}" }]\n`
  it.each([
    ["a number", "0x3e7", 510, "255\\+ credits · likely 510 credits in 2 calls"],
    ["a final block", "finalized", 590, "335\\+ credits · likely 590 credits in 3 calls"],
  ])("is known to a run and its plan: up to %s", async (_, to, cost, price) => {
    const folder = folderWith(embedded)
    writeFileSync(join(folder, "all.rpc"), text(to))
    const place = { cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }
    const start = (...args: ReadonlyArray<string>) => startAt(place, ...args).outcome
    expect((await start("run", "all.rpc", "--dry-run")).stdout).toMatch(/credits or more in total; nothing was sent/)
    expect((await start("scan", "all.rpc")).code).toBe(0)
    expect((await start("run", "all.rpc", "--dry-run")).stdout).toMatch(
      new RegExp(`${price}\\n\\d+ credits or more in total, likely ${cost}; nothing was sent`),
    )
    expect((await start("scan", "all.rpc", "--dry-run")).stdout).toMatch(
      new RegExp(`\\ncalls {4}\\d\\ncredits {2}${cost}\\nassumed: [^]*all of it was read before`),
    )
    expect((await start("run", "all.rpc", "--rows", "1")).stdout).toMatch(new RegExp(`\\n${cost} credits spent`))
    expect((await start("scan", "all.rpc")).stderr).toContain(` · ${cost} credits\n`)
  })
  it("of a run serves a scan", async () => {
    const folder = folderWith(embedded)
    writeFileSync(join(folder, "all.rpc"), text("0x3e7"))
    const place = { cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }
    expect((await startAt(place, "run", "all.rpc", "--rows", "1").outcome).stdout).toContain("\n765 credits spent")
    expect((await startAt(place, "scan", "all.rpc").outcome).stderr).toContain("2 calls · 510 credits\n")
  })
})

describe("what is final", () => {
  const folder = (networks: Json.Json = embedded) => {
    const cwd = folderWith(networks)
    writeFileSync(join(cwd, "q.rpc"), '### logs\n# @all\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x384" }]\n')
    const env = { XDG_DATA_HOME: join(cwd, "data"), XDG_CACHE_HOME: join(cwd, "cache") }
    return { cwd, start: (...args: ReadonlyArray<string>) => startAt({ cwd, env }, ...args).outcome }
  }
  it("is not paid for again where it is kept, by a scan and by a run, and the plan and the report say so", async () => {
    const { cwd, start } = folder()
    const first = await start("scan", "q.rpc", "--keep", "--output", "a.ndjson")
    expect(first.stderr).toMatch(/\d+ calls · [\d,]+ credits\n$/)
    expect((await start("scan", "q.rpc", "--keep", "--dry-run")).stdout).toBe(
      "eth_getLogs on evm, blocks 0–900\ncalls    1\ncredits  80\nassumed: kept: 901 blocks read earlier; nothing is left to read\nnothing was sent\n",
    )
    const second = await start("scan", "q.rpc", "--keep", "--output", "b.ndjson")
    expect(second.stderr).toMatch(
      /^note: kept: 901 blocks read earlier\n.* items of blocks 0–900 · 1 call · ~?80 credits\n$/,
    )
    expect(readFileSync(join(cwd, "b.ndjson"), "utf8")).toBe(readFileSync(join(cwd, "a.ndjson"), "utf8"))
    const planned = await start("run", "q.rpc", "--keep", "--dry-run")
    expect(planned.stdout).toMatch(/80\+ credits · likely 80 credits in 1 call/)
    const run = await start("run", "q.rpc", "--keep", "--rows", "1")
    expect(run.stdout).toMatch(/kept: 901 blocks read earlier[^]*\n~?80 credits spent/)
    expect((await start("scan", "q.rpc")).stderr).not.toContain("80 credits")
  })
  it("of another chain that the same address had is not used", async () => {
    const one = await startGatewayOf(1)
    const { cwd, start } = folder({ evm: { plugin: "evm", url: one.url } })
    expect((await start("scan", "q.rpc", "--keep", "--output", "one.ndjson")).code).toBe(0)
    one.close()
    const two = await startGatewayOf(2, Number(new URL(one.url).port))
    const second = await start("scan", "q.rpc", "--keep", "--output", "two.ndjson")
    expect(second.stderr).toMatch(
      /^note: the chain has another block \d+ than before, or none: what was kept of this query is dropped\n/,
    )
    await start("scan", "q.rpc", "--output", "plain.ndjson")
    two.close()
    const read = (name: string) => readFileSync(join(cwd, name), "utf8")
    expect(read("two.ndjson")).toBe(read("plain.ndjson"))
    expect(read("two.ndjson")).not.toBe(read("one.ndjson"))
  })
  it.each([
    [
      [
        "scan",
        "l2_getEvents",
        '{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":9},"chunk_size":10}}',
        "--keep",
      ],
      /--keep is of ranges of blocks/,
    ],
    [["run", "q.rpc", "--keep", "--record", "cassettes"], /--keep makes only some of them/],
  ])("is not kept where that means nothing: %j", async (args, said) => {
    const outcome = await folder().start(...args)
    expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringMatching(said)])
  })
})

describe("a scan of a saved request", () => {
  const logs = 'eth_getLogs [{ "fromBlock": {{from}}, "toBlock": "0x9" }]\n'
  const text = `@from = "0x0"\n\n### transfers\n# @name transfers\n${logs}\n### balance\neth_blockNumber\n\n### few\n# @budget 100\n${logs}`
  const folder = (networks: Json.Json = embedded) => {
    const cwd = folderWith(networks)
    writeFileSync(join(cwd, "q.rpc"), text)
    return cwd
  }
  it("has the items of its method and params, in a file and with variables", async () => {
    const cwd = folder()
    const byHand = await startIn(cwd, "eth_getLogs", '[{"fromBlock":"0x5","toBlock":"0x9"}]', "--output", "a.ndjson")
      .outcome
    expect(byHand.code).toBe(0)
    const args = ["q.rpc", "--name", "transfers", "--var", "from=0x5", "--output"]
    const saved = await startIn(cwd, ...args, "b.ndjson").outcome
    expect([saved.code, saved.stderr]).toEqual([0, byHand.stderr])
    expect(readFileSync(join(cwd, "b.ndjson"), "utf8")).toBe(readFileSync(join(cwd, "a.ndjson"), "utf8"))
    expect((await startIn(cwd, ...args, "b.csv").outcome).code).toBe(0)
    expect(readFileSync(join(cwd, "b.csv"), "utf8")).toMatch(/^block_number,/)
  })
  it.each([
    ["several requests", ["q.rpc"], 2, /^dotrpc: q\.rpc has 3 requests: add --name with one of "transfers", "few"\n$/],
    [
      "one without a range",
      ["q.rpc", "--name", "balance"],
      2,
      /q\.rpc:\d+:1 eth_blockNumber has no range of blocks to read/,
    ],
    [
      "params beside it",
      ["q.rpc", "[{}]", "--name", "few"],
      2,
      /q\.rpc has the params of its request: remove \[\{\}\]/,
    ],
    ["its own budget", ["q.rpc", "--name", "few"], 4, /# @budget of 100 has 100 left/],
    [
      "no params beside a method",
      ["eth_getLogs"],
      2,
      /write the params of eth_getLogs as JSON after it, or name a \.rpc file/,
    ],
  ] as const)("says what it needs: %s", async (_, args, code, said) => {
    const outcome = await startIn(folder(), ...args).outcome
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(said)])
  })
})

describe("a scan on the command line", () => {
  const check = (what: string, args: ReadonlyArray<string>, code: number, said: RegExp) =>
    it(`${code}: ${what}`, async () => {
      const outcome = await startIn(folderWith(embedded), ...args).outcome
      // The items themselves are too many to be shown when this fails.
      const stdout = outcome.stdout.length < 5_000 ? outcome.stdout : `${outcome.stdout.slice(0, 200)}…`
      expect(stdout + outcome.stderr).toMatch(said)
      expect(outcome.code).toBe(code)
    })
  const all = '[{"fromBlock":"0x0","toBlock":"latest"}]'
  check(
    "all logs of a chain go to stdout, the summary to stderr",
    ["eth_getLogs", all, "--network", "evm"],
    0,
    /^\{"removed"[^]*12,000 items of blocks 0–999 · \d+ calls · [\d,]+ credits\n$/,
  )
  check(
    "an object is taken for the one position",
    ["eth_getLogs", '{"fromBlock":"0x0","toBlock":"0x5"}', "--network", "evm"],
    0,
    /items of blocks 0–5 · 1 call · 255 credits/,
  )
  check(
    "more blocks than one call covers",
    ["eth_getBlockRange", '["0x0","0x3e7",false]', "--network", "evm"],
    0,
    /1,000 items of blocks 0–999 · 1 call · 80 credits/,
  )
  check(
    "events, page by page",
    [
      "l2_getEvents",
      '{"filter":{"from_block":{"block_number":0},"to_block":"latest","chunk_size":1000}}',
      "--network",
      "l2",
    ],
    0,
    /…2,500 items · 3 calls · 240 credits\n$/,
  )
  check(
    "events in several lanes and into a file, where pages ahead could not be kept",
    [
      "l2_getEvents",
      '{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":99},"chunk_size":10}}',
      "--network",
      "l2",
      "--parallel",
      "4",
      "--output",
      "events.ndjson",
    ],
    0,
    /pages are read in one lane when there is a checkpoint[^]* items of blocks 0–99 · \d+ calls/,
  )
  check(
    "logs in eight lanes, of which four are used unless the network limits blocks",
    ["eth_getLogs", all, "--network", "evm", "--parallel", "8"],
    0,
    /dotrpc: uses 4 lanes where items limit what a call answers, and all of --parallel where blocks do\n/,
  )
  check(
    "the plan sends nothing, and names the call that would make it better",
    ["eth_getLogs", all, "--network", "evm", "--dry-run"],
    0,
    /^eth_getLogs on evm\ncalls {4}3 or more; the total is not known yet\ncredits {2}415 or more; the total is not known yet\nassumed: the block of "latest" is not known[^\n]*\nnothing was sent\n--probe would send eth_getBlockByNumber \["latest",false\] for 80 credits\n$/,
  )
  check(
    "the plan with --probe announces its one call",
    ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x3e7"}]', "--network", "evm", "--dry-run", "--probe"],
    0,
    /^eth_getLogs on evm, blocks 0–999\ncalls {4}\d+ to \d+, likely \d+ {3}\(P10 to P90\)\ncredits {2}255 to [^]*assumed: [^]*\n255 credits spent on this estimate\nsending eth_getLogs \[\{"fromBlock":"0x0","toBlock":"0xf"\}\] for 255 credits\n$/,
  )
  check(
    "the plan without credits for a probe knows little",
    [
      "eth_getLogs",
      '[{"fromBlock":"0x0","toBlock":"0x9"}]',
      "--network",
      "evm",
      "--dry-run",
      "--probe",
      "--max-credits",
      "100",
    ],
    4,
    /the density of the items is not known\nnothing was sent\n--max-credits of 100 does not cover eth_getLogs [^\n]* for 255 credits\n[^]*does not cover the 255 credits/,
  )
  check(
    "the plan as JSON has the band of calls and of credits",
    ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]', "--network", "evm", "--dry-run", "--format", "json"],
    0,
    /^\{\n {2}"calls": \{\n {4}"p10": 1,\n {4}"likely": (?:\d+|null),\n {4}"p90": (?:\d+|null)\n {2}\},\n {2}"credits": \{\n {4}"p10": 255,[^]*\}\n$/,
  )
  it.each([
    ["of blocks", ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]'], { blocks: { from: 0, to: 9 } }],
    [
      "at other providers",
      ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]', "--prices", "alchemy"],
      { prices: { alchemy: { unit: "CU", p10: 60 } } },
    ],
    [
      "of dates, before anything is known",
      ["eth_getLogs", "[{}]", "--since", "2023-11-14"],
      { dates: { min: 80, max: 2720 }, calls: { p10: null }, spent: 0 },
    ],
  ])("the plan as JSON is all there is on stdout: %s", async (_, args, expected) => {
    const plan = ["--network", "evm", "--dry-run", "--format", "json"]
    const { code, stdout } = await startIn(folderWith(embedded), ...args, ...plan).outcome
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ method: "eth_getLogs", network: "evm", ...expected })
  })
  it.each([
    [["--plan"], ["--dry-run"]],
    [
      ["--plan", "--lanes", "2"],
      ["--dry-run", "--parallel", "2"],
    ],
  ])("older words mean the same: %s", async (older, words) => {
    const plan = (flags: ReadonlyArray<string>) =>
      startIn(folderWith(embedded), "eth_getLogs", all, "--network", "evm", ...flags).outcome
    expect(await plan(older)).toEqual(await plan(words))
  })
  check(
    "--format without a plan",
    ["eth_getLogs", all, "--format", "json"],
    2,
    /--format is of a plan, and items are one JSON value per line: add --dry-run\n$/,
  )
  check("--probe without a plan", ["eth_getLogs", all, "--network", "evm", "--probe"], 2, /--probe [^]*add --dry-run/)
  check(
    "the limit stops it",
    ["eth_getLogs", all, "--network", "evm", "--max-credits", "480"],
    4,
    /--max-credits of 480 has 65 left/,
  )
  check(
    "the params are not JSON",
    ["eth_getLogs", "[{", "--network", "evm"],
    2,
    /the params are not JSON: Expected .* at offset 2/,
  )
  check("the params are wrong", ["eth_getLogs", '[{"adress":"0x1"}]', "--network", "evm"], 2, /did you mean "address"/)
  check(
    "the range is backward",
    ["eth_getLogs", '[{"fromBlock":"0x2","toBlock":"0x1"}]', "--network", "evm"],
    2,
    /fromBlock 2 is after toBlock 1/,
  )
  check(
    "the output has no folder",
    ["eth_getLogs", all, "--network", "evm", "--output", "nowhere/logs.ndjson"],
    2,
    /^dotrpc: nowhere\/logs\.ndjson cannot be written: there is no folder nowhere\n$/,
  )
  check(
    "the checkpoint has no folder",
    ["eth_getLogs", all, "--network", "evm", "--resume", "nowhere/place.json"],
    2,
    /^dotrpc: nowhere\/place\.json cannot be written: there is no folder nowhere\n$/,
  )
  check(
    "the output is a folder",
    ["eth_getLogs", all, "--network", "evm", "--output", "."],
    2,
    /^dotrpc: \. cannot be written: it is a folder\n$/,
  )
  check(
    "older words of flags still work",
    ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]', "--network", "evm", "--dry-run", "--parallel", "2"],
    0,
    /^eth_getLogs on evm, blocks 0–9\ncalls /,
  )
  check(
    "older words of flags are not in its help",
    ["--help"],
    0,
    /^(?![^]*--(?:plan|lanes)\b)[^]*--dry-run [^]*--parallel /,
  )
  check("its help mentions the network to scan", ["--help"], 0, /--network id +The network to scan [^]*--env/)
  check("the method is unknown", ["eth_getLog", "[]"], 2, /did you mean "eth_getLogs"/)
  check(
    "the method is unknown and like no other",
    ["status", "[]"],
    2,
    /unknown method "status"; expected one of eth_getBlockRange, eth_getLogs/,
  )
  check(
    "the method has no range",
    ["eth_getStorageAt", "[]"],
    2,
    /has no range of blocks to read; expected one of eth_getBlockRange, eth_getLogs/,
  )
  check("the network is unknown", ["eth_getLogs", all, "--network", "evn"], 2, /did you mean "evm"/)
  check(
    "lanes are counted from one",
    ["eth_getLogs", all, "--parallel", "0"],
    2,
    /--parallel: expected a whole number, 1 or more, got "0"\n/,
  )
})

describe("a network that cannot be scanned is reported with its reason", () => {
  const check = (what: string, networks: Json.Json, args: ReadonlyArray<string>, said: string) =>
    it(`and what to do: ${what}`, async () => {
      const { code, stderr, stdout } = await startIn(folderWith(networks), "eth_getLogs", params, ...args).outcome
      expect({ code, stderr, stdout }).toEqual({ code: 2, stderr: `dotrpc: ${said}\n`, stdout: "" })
    })
  const url = "https://mainnet.example/v3/{{$secret.NOT_SET}}"
  const mainnet = { plugin: "evm", url }
  const { l2 } = embedded
  const needsSecret = `network "mainnet" needs the secret NOT_SET: set the environment variable NOT_SET, put it in .env, or store it in the editor with "dotrpc: Set Secret"`
  check("no network is named, and the only one needs a secret", { l2, mainnet }, [], needsSecret)
  check("the named one needs a secret", { ...embedded, mainnet }, ["--network", "mainnet"], needsSecret)
  check(
    "no network has the method's plugin",
    { l2 },
    [],
    'network "ethereum" has no endpoint: give it a "url" in rpc.config.json',
  )
  check(
    "the named one has another plugin",
    embedded,
    ["--network", "l2"],
    'eth_getLogs is a method of evm, but network "l2" answers those of l2-events; write --network evm',
  )
  check(
    "the named one has another plugin, and no other can be used",
    { l2, mainnet },
    ["--network", "l2"],
    'eth_getLogs is a method of evm, but network "l2" answers those of l2-events; add a network with "plugin": "evm" to rpc.config.json',
  )
  const without = { plugin: "evm", url: "http://127.0.0.1:9", methods: { eth_getLogs: false } }
  check(
    "it does not have the method",
    { without },
    [],
    'network "without" does not have eth_getLogs; if it does, set "methods": { "eth_getLogs": true } for it in rpc.config.json',
  )
  check(
    "the named one does not have the method, and another may have it",
    { without, ...embedded },
    ["--network", "without"],
    'network "without" does not have eth_getLogs: write --network evm; if it does, set "methods": { "eth_getLogs": true } for it in rpc.config.json',
  )
  check(
    "only the beginning of its name is given",
    { mainnet, l2 },
    ["--network", "main"],
    'unknown network "main"; did you mean "mainnet"?',
  )
})

describe("a scan that is stopped", () => {
  let gateway: HttpGateway
  let whole: string
  let needed: number
  /** Calls of a scan in one lane that nothing stops. */
  let alone: number
  beforeAll(async () => {
    gateway = await startSlowGateway(60)
    const folder = folderOf()
    const { code } = await startIn(folder, "eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson").outcome
    expect(code).toBe(0)
    whole = readFileSync(join(folder, "logs.ndjson"), "utf8")
    expect(whole.split("\n")).toHaveLength(12_001)
    expect(existsSync(join(folder, "logs.ndjson.checkpoint"))).toBe(false)
    needed = gateway.logCalls()
    await startIn(folderOf(), "eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--parallel", "1")
      .outcome
    alone = gateway.logCalls() - needed
  })
  afterAll(() => gateway.close())
  const folderOf = () => folderWith({ evm: { plugin: "evm", url: gateway.url } })

  const hasItems = (checkpoint: string) =>
    existsSync(checkpoint) && !readFileSync(checkpoint, "utf8").includes('"items":0,')

  /** Stops a scan when its checkpoint stands behind the first items, and resumes it. */
  const stopAndResume = async (lanes: number, how: "interrupt" | "kill") => {
    const folder = folderOf()
    const file = (name: string) => join(folder, name)
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--parallel", String(lanes)]
    const before = gateway.logCalls()
    const start = () => {
      if (how === "interrupt") {
        const running = startIn(folder, ...args)
        return { outcome: running.outcome, stop: running.interrupt }
      }
      const running = spawnIn(folder, ...args)
      return { outcome: running.outcome, stop: running.kill }
    }
    const running = start()
    while (!hasItems(file("logs.ndjson.checkpoint"))) await new Promise((resolve) => setTimeout(resolve, 5))
    running.stop()
    const stopped = await running.outcome
    expect(stopped.code).toBe(how === "kill" ? null : 130)
    expect(whole.startsWith(readFileSync(file("logs.ndjson"), "utf8").slice(0, 1_000))).toBe(true)
    const restarted = await startIn(folder, ...args).outcome
    expect(restarted.code).toBe(2)
    expect(restarted.stderr).toMatch(
      /logs\.ndjson belongs to a scan that was stopped; [^]*\ndotrpc: resume with: dotrpc scan eth_getLogs /,
    )
    const resumed = await startIn(folder, ...args, "--resume", "logs.ndjson.checkpoint").outcome
    expect(resumed.code).toBe(0)
    expect(resumed.stderr).toMatch(/12,000 items of blocks 0–1,499/)
    expect(readFileSync(file("logs.ndjson"), "utf8") === whole).toBe(true)
    // Only calls that were in flight may be paid for again, and a plan that starts again may be unlucky once.
    expect(gateway.logCalls() - before).toBeLessThanOrEqual(needed + lanes + 1)
    return { folder, args, stopped }
  }

  it("by an interruption gives the same items as one that was not, and says how to go on", async () => {
    const { stopped } = await stopAndResume(1, "interrupt")
    expect(stopped.stderr).toMatch(
      /interrupted: [\d,]+ items of blocks 0–[\d,]+ · .* credits\nresume with: dotrpc scan eth_getLogs '\[.*\]' --network evm --parallel 1 --output logs\.ndjson --resume logs\.ndjson\.checkpoint\n/,
    )
  })
  it("by its limit is resumed by a command with every flag that allows it", async () => {
    const hosts = ["--allow-host", "a.example", "--allow-host", "b.example:81"]
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--parallel", "1", ...hosts]
    const { stderr } = await startIn(folderOf(), ...args, "--max-credits", "300").outcome
    expect(stderr).toContain(` ${hosts.join(" ")} --output logs.ndjson --resume logs.ndjson.checkpoint`)
  })
  /** The words of the command that is advised. */
  const advised = (stderr: string): ReadonlyArray<string> => {
    const [, command] = /resume with: dotrpc scan (.*)$/m.exec(stderr) ?? []
    expect(command).toBeDefined()
    return [...(command ?? "").matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
  }
  const checkLimit = (credits: number) =>
    it(`by its limit of ${credits} has all lines once, and is charged once, when the advice is followed to the end`, async () => {
      const folder = folderOf()
      const limit = ["--max-credits", String(credits)]
      const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--parallel", "1", ...limit]
      const before = gateway.logCalls()
      let outcome = await startIn(folder, ...args).outcome
      let stops = 0
      for (; outcome.code === 4 && stops < 30; stops++) {
        expect(outcome.stdout).toBe("")
        outcome = await startIn(folder, ...advised(outcome.stderr)).outcome
      }
      expect(stops).toBeGreaterThan(0)
      expect(outcome).toMatchObject({ code: 0, stdout: "" })
      expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole).toBe(true)
      expect(gateway.logCalls() - before).toBe(alone)
    })
  // Ten processes, one after the other.
  if (isDeep) checkLimit(300)
  checkLimit(2000)
  it("by its limit before the first item is not started again by mistake", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--max-credits", "300"]
    const stopped = await startIn(folder, ...args).outcome
    expect(stopped.code).toBe(4)
    expect(stopped.stderr).toMatch(/^0 items · 1 call · 255 credits\n/)
    const calls = gateway.logCalls()
    const restarted = await startIn(folder, ...args).outcome
    expect(restarted.code).toBe(2)
    expect(restarted.stderr).toMatch(/logs\.ndjson belongs to a scan that was stopped; [^]*\ndotrpc: resume with: /)
    expect(gateway.logCalls()).toBe(calls)
  })
  it("by its limit before the first call leaves nothing, and says how to start again", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]', "--network", "evm", "--output", "logs.ndjson"]
    const stopped = await startIn(folder, ...args, "--max-credits", "10").outcome
    expect(stopped.code).toBe(4)
    expect(stopped.stderr).toMatch(
      /\ndotrpc: Raise --max-credits to at least 255\.\ndotrpc: start again with: dotrpc scan eth_getLogs '.*' --network evm --max-credits 255 --output logs\.ndjson\n$/,
    )
    expect(existsSync(join(folder, "logs.ndjson"))).toBe(false)
  })
  it("by a limit that does not cover its next call is resumed with one that does", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--parallel", "1"]
    const stopped = await startIn(folder, ...args, "--max-credits", "300").outcome
    const resume = ["--resume", "logs.ndjson.checkpoint", "--max-credits", "10"]
    const resumed = await startIn(folder, ...args, ...resume).outcome
    for (const [{ code, stderr }, limit] of [
      [stopped, 300],
      [resumed, 255],
    ] as const) {
      expect(code).toBe(4)
      expect(stderr).toContain(
        `--max-credits applies to each command: the resumed scan may spend ${limit} more credits\ndotrpc: resume with: `,
      )
      expect(stderr).toContain(` --max-credits ${limit} `)
      expect(stderr).not.toMatch(/Raise/)
    }
  })
  it("replaces no file with something in it", async () => {
    const folder = folderOf()
    writeFileSync(join(folder, "logs.ndjson"), "precious")
    const calls = gateway.logCalls()
    const outcome = await startIn(folder, "eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson").outcome
    expect([outcome.code, outcome.stderr]).toEqual([
      2,
      "dotrpc: logs.ndjson already exists, and a scan never replaces items that were paid for: delete it, or name another file\n",
    ])
    expect([readFileSync(join(folder, "logs.ndjson"), "utf8"), gateway.logCalls()]).toEqual(["precious", calls])
  })
  it("goes on in its file when only the checkpoint is named", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm"]
    const file = join(folder, "logs.ndjson")
    const stopped = await startIn(folder, ...args, "--output", file, "--max-credits", "1000").outcome
    expect(stopped.code).toBe(4)
    const resumed = await startIn(folder, ...args, "--resume", `${file}.checkpoint`).outcome
    expect(resumed).toMatchObject({ code: 0, stdout: "" })
    expect(readFileSync(file, "utf8") === whole).toBe(true)
  })
  it("asks for its file where the checkpoint does not lie beside it", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm"]
    const limited = [...args, "--output", "logs.ndjson", "--resume", "place.json", "--max-credits", "1000"]
    expect((await startIn(folder, ...limited).outcome).code).toBe(4)
    const outcome = await startIn(folder, ...args, "--resume", "place.json").outcome
    expect(outcome).toMatchObject({ code: 2, stdout: "" })
    expect(outcome.stderr).toMatch(
      /place\.json belongs to a scan that writes to a file; name that file too, with --output FILE/,
    )
  })
  it("by an interruption in four lanes keeps what came ahead", async () => {
    await stopAndResume(4, "interrupt")
  })
  it("by a kill does too", async () => {
    await stopAndResume(4, "kill")
  })
  it("is not resumed while it runs", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson"]
    const running = spawnIn(folder, ...args)
    while (!hasItems(join(folder, "logs.ndjson.checkpoint"))) await new Promise((resolve) => setTimeout(resolve, 5))
    const second = await startIn(folder, ...args, "--resume", "logs.ndjson.checkpoint").outcome
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(
      /^dotrpc: logs\.ndjson\.checkpoint is in use by another scan, process \d+: wait until it has ended, or stop it; if that process is not a scan, delete logs\.ndjson\.checkpoint\.lock\n$/,
    )
    expect((await running.outcome).code).toBe(0)
    expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole).toBe(true)
    expect(existsSync(join(folder, "logs.ndjson.checkpoint.lock"))).toBe(false)
  })
  it("is not taken over from another machine", async () => {
    const folder = folderOf()
    writeFileSync(join(folder, "cp.json.lock"), Json.stringify({ process: 12, host: "elsewhere.example" }))
    const { code, stderr } = await startIn(folder, "eth_getLogs", params, "--network", "evm", "--resume", "cp.json")
      .outcome
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'dotrpc: cp.json is in use by process 12 on the machine "elsewhere.example": wait until that scan has ended; if it was killed, delete cp.json.lock\n',
    })
    writeFileSync(join(folder, "cp.json.lock"), "{}")
    const other = await startIn(folder, "eth_getLogs", params, "--network", "evm", "--resume", "cp.json").outcome
    expect(other.stderr).toMatch(/cp\.json\.lock is not the lock of a scan: delete it/)
  })
  it("by a kill, on stdout, repeats no line: it asks for the file that its output went to", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", params, "--network", "evm", "--parallel", "1", "--resume", "cp.json"]
    const running = spawnIn(folder, ...args)
    while (!hasItems(join(folder, "cp.json"))) await new Promise((resolve) => setTimeout(resolve, 5))
    running.kill()
    const { stdout } = await running.outcome
    // Asking twice does not make it go away.
    for (const _ of [1, 2]) {
      const again = await startIn(folder, ...args).outcome
      expect(again).toMatchObject({ code: 2, stdout: "" })
      expect(again.stderr).toMatch(
        /^dotrpc: the scan of cp\.json wrote to stdout and was killed: resuming it on stdout could repeat lines\ndotrpc: Name the file that its output went to: --output FILE --resume cp\.json cuts it back to the [\d,]+ lines before the checkpoint\./,
      )
    }
    writeFileSync(join(folder, "short.ndjson"), "{}\n")
    const short = await startIn(folder, ...args, "--output", "short.ndjson").outcome
    expect(short.stderr).toMatch(
      /short\.ndjson has 1 line, but the scan wrote [\d,]+ lines to stdout before the checkpoint: name the file that they went to/,
    )
    expect((await startIn(folder, ...args).outcome).code).toBe(2)
    writeFileSync(join(folder, "logs.ndjson"), `${stdout}{"half":`)
    const resumed = await startIn(folder, ...args, "--output", "logs.ndjson").outcome
    expect(resumed.code).toBe(0)
    expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole).toBe(true)
  })
  it("when it is finished costs nothing to resume", async () => {
    const { args, folder } = await stopAndResume(1, "interrupt")
    const calls = gateway.logCalls()
    const again = await startIn(folder, ...args, "--resume", "logs.ndjson.checkpoint").outcome
    expect(again.code).toBe(0)
    expect(gateway.logCalls()).toBe(calls)
    expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole).toBe(true)
  })
  it("goes on only with the query it was started with", async () => {
    const { folder } = await stopAndResume(1, "interrupt")
    const other = '[{"fromBlock":"0x1","toBlock":"0x5db"}]'
    const args = ["eth_getLogs", other, "--network", "evm", "--output", "logs.ndjson"]
    const outcome = await startIn(folder, ...args, "--resume", "logs.ndjson.checkpoint").outcome
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toMatch(/^dotrpc: .*the checkpoint belongs to a scan of another query/)
    expect(outcome.stderr).not.toMatch(/items of blocks/)
    expect(readFileSync(join(folder, "logs.ndjson"), "utf8") === whole).toBe(true)
  })
  it("is not said to resume from where it never began", async () => {
    const folder = folderWith({ evm: { plugin: "evm", url: "http://127.0.0.1:2/evm/v3/local" } })
    const outcome = await startIn(folder, "eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson").outcome
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toMatch(/could not connect to 127\.0\.0\.1:2 /)
    expect(outcome.stderr).not.toMatch(/--resume/)
  })
  it("is not paid for again by one who means to resume what was finished", async () => {
    const folder = folderOf()
    const args = ["eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x9"}]', "--network", "evm"]
    expect((await startIn(folder, ...args, "--output", "logs.ndjson").outcome).code).toBe(0)
    const calls = gateway.logCalls()
    const again = await startIn(folder, ...args, "--resume", "logs.ndjson").outcome
    expect(again.code).toBe(2)
    expect(again.stderr).toMatch(/there is no logs\.ndjson\.checkpoint to resume from, and logs\.ndjson is not empty/)
    const planned = await startIn(folder, ...args, "--resume", "typo", "--dry-run").outcome
    expect(planned.stderr).toContain("typo has no checkpoint to resume from: a scan begins")
    expect(gateway.logCalls()).toBe(calls)
  })
  it("leaves nothing ahead to a scan that starts again", async () => {
    const folder = folderOf()
    const ahead = join(folder, "logs.ndjson.checkpoint.ahead")
    mkdirSync(ahead)
    writeFileSync(join(ahead, "1400-1499.json"), '["of another scan"]')
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson", "--max-credits", "1000"]
    expect((await startIn(folder, ...args).outcome).code).toBe(4)
    expect(existsSync(join(ahead, "1400-1499.json"))).toBe(false)
  })
  it("asks again for what came ahead and cannot be read", async () => {
    const folder = folderOf()
    const file = (name: string) => join(folder, name)
    const args = ["eth_getLogs", params, "--network", "evm", "--output", "logs.ndjson"]
    expect((await startIn(folder, ...args, "--max-credits", "1000").outcome).code).toBe(4)
    mkdirSync(file("logs.ndjson.checkpoint.ahead"), { recursive: true })
    writeFileSync(file("logs.ndjson.checkpoint.ahead/1400-1499.json"), "{ cut off")
    const { code, stderr } = await startIn(folder, ...args, "--resume", "logs.ndjson.checkpoint").outcome
    expect([code, stderr]).toEqual([0, expect.stringMatching(/12,000 items of blocks 0–1,499/)])
    expect(readFileSync(file("logs.ndjson"), "utf8") === whole).toBe(true)
  })
  it("is not resumed from a file that is none of its checkpoints", async () => {
    const folder = folderOf()
    writeFileSync(join(folder, "other.json"), '{"version":1}')
    const outcome = await startIn(folder, "eth_getLogs", params, "--resume", "other.json").outcome
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toMatch(
      /other\.json cannot be used as a checkpoint: "method", "network" and "query" must be strings/,
    )
  })
})
