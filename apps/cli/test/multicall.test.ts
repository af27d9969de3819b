import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const decimals = (block = '"latest"') => `eth_call [{ "to": "${token}", "data": "0x313ce567" }, ${block}]\n`
const supply = (block = '"latest"') => `eth_call [{ "to": "${token}", "data": "0x18160ddd" }, ${block}]\n`
const from = `eth_call [{ "to": "${token}", "data": "0x313ce567", "from": "${token}" }, "latest"]\n`
const reverts = `eth_call [{ "to": "${token}", "data": "0xffffffff" }, "latest"]\n`
const number = "eth_blockNumber []\n"
const block = '# @name block\neth_getBlockByNumber ["0x1b4", false]\n'
const receipt = (index: number) => `eth_getTransactionReceipt [{{block.result.transactions[${index}]}}]\n`
const noReceipt = `eth_getTransactionReceipt ["0x${"0".repeat(64)}"]\n`

interface Report {
  readonly ok: boolean
  readonly credits: {
    readonly spent: number
    readonly saved?: number
    readonly estimated: { readonly min: number; readonly max: number }
  }
  readonly files: ReadonlyArray<{
    readonly requests: ReadonlyArray<{
      readonly status: string
      readonly calls: number
      readonly credits: number
      readonly saved?: number
      readonly shared?: string
      readonly result?: string
      readonly error?: object
      readonly notes?: ReadonlyArray<string>
    }>
  }>
}

const run = async (text: string, flags: ReadonlyArray<string> = [], config?: object): Promise<Report> => {
  const cwd = temporaryFolder()
  if (config !== undefined) writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
  writeFileSync(join(cwd, "a.rpc"), text)
  const { stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", "json", ...flags).outcome
  return JSON.parse(stdout) as Report
}

/** The status and credits of each request, what was saved, and what the plan said. */
const check = (
  name: string,
  requests: ReadonlyArray<string>,
  expected: {
    readonly requests: ReadonlyArray<string>
    readonly saved: number | undefined
    readonly estimated: readonly [min: number, max: number]
  },
  flags: ReadonlyArray<string> = [],
  config?: object,
) =>
  it(name, async () => {
    const { credits, files } = await run(requests.map((request) => `###\n${request}`).join("\n"), flags, config)
    const reports = files.flatMap((file) => file.requests)
    expect(reports.map((report) => `${report.status} ${report.credits}`)).toEqual(expected.requests)
    expect(credits.saved).toBe(expected.saved)
    expect([credits.estimated.min, credits.estimated.max]).toEqual(expected.estimated)
    expect(credits.spent).toBe(reports.reduce((sum, report) => sum + report.credits, 0))
    expect(credits.saved ?? 0).toBe(reports.reduce((sum, report) => sum + (report.saved ?? 0), 0))
  })

describe("requests that call contracts", () => {
  check("become one call when they follow each other", [decimals(), supply(), decimals()], {
    // Two of them are the same call.
    requests: ["ok 40", "ok 40", "ok 0"],
    saved: 80,
    estimated: [80, 320],
  })
  check("become one call at one block", [decimals('"0x10"'), supply('"0x10"'), supply('"0x11"')], {
    requests: ["ok 40", "ok 40", "ok 80"],
    saved: 80,
    estimated: [160, 320],
  })
  check("are sent by themselves where another request is between them", [decimals(), number, supply()], {
    requests: ["ok 80", "ok 80", "ok 80"],
    saved: undefined,
    estimated: [240, 240],
  })
  check("are sent by themselves with @multicall off", [`# @multicall off\n${decimals()}`, supply()], {
    requests: ["ok 80", "ok 80"],
    saved: undefined,
    estimated: [160, 160],
  })
  check("are sent by themselves with a sender", [from, supply()], {
    requests: ["ok 80", "ok 80"],
    saved: undefined,
    estimated: [160, 160],
  })
  check(
    "are sent by themselves when the first failure ends the run",
    [decimals(), supply()],
    {
      requests: ["ok 80", "ok 80"],
      saved: undefined,
      estimated: [80, 240],
    },
    ["--bail"],
  )
  check(
    "are refused by a budget below the price, as without others",
    [`# @budget 50\n${decimals()}`, supply(), supply('"earliest"')],
    {
      requests: ["refused 0", "ok 80", "ok 80"],
      saved: undefined,
      estimated: [240, 240],
    },
  )
  check(
    "share a limit of the run",
    [decimals(), supply()],
    {
      requests: ["ok 40", "ok 40"],
      saved: 80,
      estimated: [80, 240],
    },
    ["--max-credits", "80"],
  )
})

/** A provider whose sheet has receipts and blocks of them at one price, 20 units as any other call. */
const sheet = { networks: { evm: { plugin: "evm", url: "embedded:evm", prices: "alchemy" } } }

describe("requests for receipts", () => {
  check(
    "become one for their block, which an earlier result shows",
    [block, receipt(0), receipt(1), receipt(2)],
    { requests: ["ok 20", "ok 7", "ok 7", "ok 6"], saved: 40, estimated: [40, 100] },
    [],
    sheet,
  )
  check(
    "are sent by themselves where nothing shows their block",
    [block, noReceipt, noReceipt, receipt(0)],
    { requests: ["ok 20", "ok 20", "ok 20", "ok 20"], saved: undefined, estimated: [40, 100] },
    [],
    sheet,
  )
  check(
    "are sent by themselves where another request is between them",
    [block, receipt(0), number, receipt(1)],
    { requests: ["ok 20", "ok 20", "ok 10", "ok 20"], saved: undefined, estimated: [70, 70] },
    [],
    sheet,
  )
  check(
    "are sent by themselves with @multicall off",
    [block, `# @multicall off\n${receipt(0)}`, receipt(1), receipt(2)],
    { requests: ["ok 20", "ok 20", "ok 10", "ok 10"], saved: 20, estimated: [60, 100] },
    [],
    sheet,
  )
  check(
    "are sent by themselves when the first failure ends the run",
    [block, receipt(0), receipt(1)],
    { requests: ["ok 20", "ok 20", "ok 20"], saved: undefined, estimated: [40, 80] },
    ["--bail"],
    sheet,
  )
  check(
    "are refused by a budget below the price, as without others",
    [block, `# @budget 10\n${receipt(0)}`, receipt(1), receipt(2)],
    { requests: ["ok 20", "refused 0", "ok 10", "ok 10"], saved: 20, estimated: [60, 100] },
    [],
    sheet,
  )
  check("are sent by themselves where so few cost less than their block", [block, receipt(0), receipt(1), receipt(2)], {
    requests: ["ok 80", "ok 80", "ok 80", "ok 80"],
    saved: undefined,
    estimated: [320, 320],
  })

  it("have the results of requests by themselves", async () => {
    const requests = [block, receipt(0), receipt(1), receipt(2)].map((request) => `###\n${request}`).join("\n")
    const resultsOf = async (text: string) =>
      (await run(text, [], sheet)).files[0]?.requests.map(({ result }) => result)
    expect(await resultsOf(requests)).toEqual(await resultsOf(`# @multicall off\n${requests}`))
  })
})

describe("where the one call fails", () => {
  /** Fifty calls of a node without the contract: how many it gets, and how it is configured. */
  const withoutContract = async (check: (text: string, config: object, calls: () => number) => Promise<void>) => {
    let calls = 0
    /** A node without the contract: what is sent to it returns no bytes. */
    const server = createServer((request, response) => {
      calls++
      let body = ""
      request.on("data", (part) => (body += part))
      request.on("end", () => {
        const { id, params } = JSON.parse(body) as {
          readonly id: number
          readonly params: readonly [{ readonly to: string }]
        }
        const result = params[0].to === token ? `0x${"12".padStart(64, "0")}` : "0x"
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
      })
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const config = {
      networks: { evm: { plugin: "evm", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
    }
    const text = Array.from(
      { length: 50 },
      (_, index) =>
        `###\n# @multicall on\neth_call [{ "to": "${token}", "data": "0x${String(index).padStart(8, "0")}" }, "latest"]`,
    ).join("\n")
    await check(text, config, () => calls)
    server.close()
  }

  it("what it adds is in the plan, and a limit of as much refuses nothing", () =>
    withoutContract(async (text, config, calls) => {
      const most = 51 * 80
      const free = await run(text, [], config)
      expect([free.credits.estimated, free.credits.spent, calls()]).toEqual([{ min: 80, max: most }, most, 51])
      const limited = await run(text, ["--max-credits", String(most), "--all-or-nothing"], config)
      expect([limited.ok, limited.credits.spent]).toEqual([true, most])
    }))

  const why =
    "50 calls instead of 1: the network has no Multicall contract at 0xca11bde05977b3631167028862be2a173976ca11"

  it("a report says once why so many calls were made", () =>
    withoutContract(async (text, config) => {
      const requests = (await run(text, [], config)).files.flatMap((file) => file.requests)
      expect(requests.map(({ notes }) => notes)).toEqual([[why], ...requests.slice(1).map(() => undefined)])
      const data = Array.from({ length: 50 }, (_, index) => `0x${String(index).padStart(8, "0")}`)
      const rows = `@rows = ${JSON.stringify(data)}\n###\n# @multicall on\n# @each rows\neth_call [{ "to": "${token}", "data": {{row}} }, "latest"]\n`
      const each = (await run(rows, [], config)).files.flatMap((file) => file.requests)
      expect(each.map(({ notes }) => notes)).toEqual([[why]])
      const cwd = temporaryFolder()
      writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify(config))
      writeFileSync(join(cwd, "a.rpc"), text)
      for (const format of ["pretty", "junit"]) {
        const { stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", format).outcome
        expect(stdout.split(why).length - 1, format).toBe(1)
      }
    }))
})

it("says why the second of two equal requests costs nothing", async () => {
  const requests = `###\n${decimals()}\n###\n${supply()}\n###\n${decimals()}`
  const reports = (await run(requests)).files[0]?.requests ?? []
  expect(reports.map(({ credits, shared }) => [credits, shared])).toEqual([
    [40, undefined],
    [40, undefined],
    [0, "in flight"],
  ])
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), requests)
  const { stdout } = await startAt({ cwd }, "run", "a.rpc").outcome
  expect(stdout.match(/0 credits · answered by an equal request$/gm)).toHaveLength(1)
})

it("fails alone with the error of a call of its own", async () => {
  const [alone] = (await run(`###\n# @multicall off\n${reverts}`)).files[0]?.requests ?? []
  const shared = (await run(`###\n${decimals()}\n###\n${reverts}\n###\n${supply()}`)).files[0]?.requests ?? []
  expect(shared.map(({ status }) => status)).toEqual(["ok", "rpc-error", "ok"])
  expect(shared[1]?.error).toEqual(alone?.error)
})

it("gives the results of calls by themselves", async () => {
  const requests = `###\n${decimals()}\n###\n${supply()}\n`
  const resultsOf = async (text: string) => (await run(text)).files[0]?.requests.map(({ result }) => result)
  expect(await resultsOf(requests)).toEqual(await resultsOf(`# @multicall off\n${requests}`))
})

it("a plan for people says what one call costs, and what it costs at most where that call fails", async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), [decimals(), supply()].map((request) => `###\n${request}`).join("\n"))
  const { stdout } = await startAt({ cwd }, "run", "a.rpc", "--dry-run").outcome
  expect(stdout).toContain("80–240 credits where requests become one call (# @multicall)\n")
})
