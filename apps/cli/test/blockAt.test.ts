/** `evm_blockAt` on the embedded chain, whose blocks come every 12 seconds from 2023-11-14 22:13:20 UTC on. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { startGateway } from "./httpGateway.ts"

afterAll(removeFolders)

const run = async (text: string, ...flags: ReadonlyArray<string>) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), text)
  return runIn(cwd, { XDG_CACHE_HOME: join(cwd, "cache") }, ...flags)
}

/** Runs `a.rpc` of a folder. */
const runIn = async (cwd: string, env: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await startAt({ cwd, env }, "run", "a.rpc", "--format", "json", ...flags).outcome
  const { credits, files } = JSON.parse(stdout) as {
    readonly credits: { readonly spent: number; readonly estimated: object }
    readonly files: ReadonlyArray<{
      readonly requests: ReadonlyArray<{ readonly status: string; readonly calls: number; readonly credits: number }>
    }>
  }
  return { code, credits, stderr, requests: files.flatMap(({ requests }) => requests) }
}

const since = (directives = "") => `###\n# @name since\n${directives}evm_blockAt ["2023-11-14T23:00Z"]\n`

it("finds a block by its time, and another request begins there", async () => {
  const logs =
    '###\neth_getLogs [{ "fromBlock": "{{since.result.number}}", "toBlock": "0xea" }]\n?? result.length > 0\n'
  const { code, credits, requests } = await run(since() + logs)
  expect({ code, statuses: requests.map(({ status }) => status) }).toEqual({ code: 0, statuses: ["ok", "ok"] })
  expect(requests[0]).toMatchObject({
    result: { number: "0xe9", timestamp: "0x6553fbec" },
    credits: 80 * (requests[0]?.calls ?? 0),
  })
  expect(requests[0]?.calls).toBeLessThanOrEqual(8)
  expect(credits.estimated).toEqual({ min: 335, max: 2_975 })
})

it("stops exactly at a budget, between two calls", async () => {
  const { code, credits, requests } = await run(since("# @budget 170\n"))
  expect(requests).toMatchObject([{ status: "refused", calls: 2, credits: 160 }])
  expect({ code, spent: credits.spent }).toEqual({ code: 4, spent: 160 })
})

it("says what was spent before a budget stopped it", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), since("# @budget 170\n"))
  const env = { XDG_CACHE_HOME: join(cwd, "cache") }
  const { code, stdout } = await startAt({ cwd, env }, "run", "a.rpc").outcome
  expect(code).toBe(4)
  expect(stdout).toMatch(/refused · 2 calls · .* · 160 credits/)
  expect(stdout).toContain(
    "the call needs 80 credits, and # @budget of 170 has 10 left. Before it, 160 credits in 2 calls had been spent.",
  )
  expect(stdout).not.toMatch(/^ *not sent|Nothing was sent/m)
})

describe("a block that is final", () => {
  const dated = (network: string, time = "2023-11-14T23:00Z") => `###\n# @network ${network}\nevm_blockAt ["${time}"]\n`
  const networks = (more: object = {}) =>
    JSON.stringify({
      networks: {
        evm: { plugin: "evm", url: "embedded:evm", ...more },
        other: { plugin: "evm", url: "embedded:evm-l2", historyDepth: 128 },
      },
    })
  /** What runs cost, one after another, in one cache. */
  const costs = async (
    runs: ReadonlyArray<readonly [text: string, config?: string]>,
    between: (cache: string) => void = () => {},
  ) => {
    const cwd = temporaryFolder()
    const cache = join(cwd, "cache")
    const spent: Array<number> = []
    for (const [text, config = networks()] of runs) {
      writeFileSync(join(cwd, "a.rpc"), text)
      writeFileSync(join(cwd, "rpc.config.json"), config)
      const outcome = await runIn(cwd, { XDG_CACHE_HOME: cache })
      expect(outcome.requests.map(({ status }) => status)).toEqual(["ok"])
      spent.push(outcome.credits.spent)
      between(join(cache, "dotrpc", "final-results.json"))
    }
    return { isFree: spent.map((credits) => credits === 0) }
  }

  /** Both chains still have its block. */
  const recent = "2023-11-15T01:10Z"
  it.each([
    ["costs nothing the second time", [[dated("evm")], [dated("evm")]], [false, true]],
    [
      "is not that of another endpoint",
      [[dated("evm", recent)], [dated("other", recent)], [dated("evm", recent)]],
      [false, false, true],
    ],
    [
      "is not that of another chain at the same endpoint",
      [[dated("evm")], [dated("evm"), networks({ chainId: 5 })], [dated("evm")]],
      [false, false, true],
    ],
    ["is not that of another time", [[dated("evm")], [dated("evm", "2023-11-14T23:30Z")]], [false, false]],
    [
      "is looked up again for a time that depends on the day",
      [[dated("evm", "999 days ago")], [dated("evm", "999 days ago")]],
      [false, false],
    ],
    [
      "is looked up again while it is near the head",
      [[dated("evm", "2023-11-15T01:30Z")], [dated("evm", "2023-11-15T01:30Z")]],
      [false, false],
    ],
  ] as const)("%s", async (_, runs, expected) => {
    expect((await costs(runs)).isFree).toEqual(expected)
  })

  it.each(["", "no JSON", "{}", '{"version":1}', "[1,2"])(
    "is looked up again where the file is damaged: %j",
    async (text) => {
      let isFirst = true
      const { isFree } = await costs([[dated("evm")], [dated("evm")]], (path) => {
        if (isFirst) writeFileSync(path, text)
        isFirst = false
      })
      expect(isFree).toEqual([false, false])
      const again = await costs([[dated("evm")], [dated("evm")]])
      expect(again.isFree).toEqual([false, true])
    },
  )

  it("is checked before it is used", async () => {
    const { isFree } = await costs([[dated("evm")], [dated("evm")]], (path) => {
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(/"0x[0-9a-f]+"/g, "7"))
    })
    expect(isFree).toEqual([false, false])
  })

  it("keeps no URL and no key", async () => {
    let kept = ""
    await costs([[dated("evm")]], (path) => {
      kept = readFileSync(path, "utf8")
    })
    expect(kept).toContain("0xe9")
    expect(kept).not.toContain("embedded")
    expect(kept).not.toContain("23:00")
  })
})

it("is answered from a recording, at no cost", async () => {
  const cwd = temporaryFolder()
  const call = async (flag: string) => {
    const { code, stdout } = await startAt(
      { cwd },
      "call",
      "evm_blockAt",
      "1 day ago",
      flag,
      "tape",
      "--format",
      "json",
    ).outcome
    return { code, report: JSON.parse(stdout) as { readonly credits: { readonly spent: number } } }
  }
  expect((await call("--record")).report.credits.spent).toBe(80)
  const { code, report } = await call("--replay")
  expect({ code, spent: report.credits.spent }).toEqual({ code: 0, spent: 0 })
})

it("is looked up again on a node of this machine, which may have another chain the next time", async () => {
  const gateway = await startGateway()
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), since())
  const networks = { evm: { plugin: "evm", url: gateway.url } }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
  const spent: Array<number> = []
  for (let runs = 0; runs < 2; runs++)
    spent.push((await runIn(cwd, { XDG_CACHE_HOME: join(cwd, "cache") })).credits.spent)
  gateway.close()
  expect(spent[0]).toBeGreaterThan(0)
  expect(spent[1]).toBe(spent[0])
})
