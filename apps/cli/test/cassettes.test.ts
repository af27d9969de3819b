/** `--record` and `--replay`: the same report without a server, a key or credits. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canary, startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"
import { type HttpGateway, startGateway } from "./httpGateway.ts"

let gateway: HttpGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => {
  gateway.close()
  removeFolders()
})

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

interface Report {
  readonly ok: boolean
  readonly credits: { readonly spent: number; readonly avoided?: number }
  readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<object> }>
}

/** A folder with these requests, on a network with a key. */
const projectOf = (requests: string): string => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), requests)
  const url = `${gateway.url}?key={{$secret.CANARY}}`
  writeFileSync(
    join(cwd, "rpc.config.json"),
    JSON.stringify({ networks: { evm: { plugin: "evm", url }, other: { plugin: "evm", url } }, ledger: "memory" }),
  )
  return cwd
}

const run = (cwd: string, ...flags: ReadonlyArray<string>) => runAt({ cwd }, ...flags)

const runAt = async (place: Parameters<typeof startAt>[0], ...flags: ReadonlyArray<string>) => {
  const outcome = await startAt(place, "run", "a.rpc", "--format", "json", ...flags).outcome
  return { ...outcome, report: JSON.parse(outcome.stdout) as Report }
}

/** What does not depend on how an answer came, in rows and comparisons as well. */
const answersOf = ({ files, ok }: Report): unknown =>
  JSON.parse(
    JSON.stringify({ ok, requests: files.flatMap(({ requests }) => requests) }, (name, value: unknown) =>
      ofTheWay.has(name) ? undefined : value,
    ),
  )

const ofTheWay: ReadonlySet<string> = new Set(["avoided", "calls", "credits", "ms", "saved"])

/** Runs the requests three times: as they are, to record them, and from the recordings. */
const check = (name: string, requests: string, exitCode = 0) =>
  it(`a replay reports what the recorded run reported: ${name}`, async () => {
    const cwd = projectOf(requests)
    const plain = await run(cwd)
    const recorded = await run(cwd, "--record", "recordings")
    expect(recorded.code).toBe(exitCode)
    expect(recorded.report).toMatchObject({ credits: plain.report.credits })
    expect(answersOf(recorded.report)).toEqual(answersOf(plain.report))

    const before = gateway.calls()
    const replayed = await run(cwd, "--replay", "recordings")
    expect(gateway.calls()).toBe(before)
    expect(replayed.code).toBe(exitCode)
    expect(answersOf(replayed.report)).toEqual(answersOf(plain.report))
    expect(replayed.report.credits.spent).toBe(0)
    expect(replayed.report.credits.avoided ?? 0).toBe(plain.report.credits.spent)
    for (const name of readdirSync(join(cwd, "recordings")))
      expect(readFileSync(join(cwd, "recordings", name), "utf8")).not.toContain(canary)
  })

describe("recordings", () => {
  check("a result with checks", `### head\neth_blockNumber []\n?? result == "0x3e7"\n`)
  check("a check that fails", `### head\neth_blockNumber []\n?? result == "0x0"\n`, 1)
  check(
    "results that lead to others",
    `###\n# @name number\neth_blockNumber []\n\n### block\neth_getBlockByNumber [{{number.result}}, false]\n`,
  )
  check(
    "a range of blocks in several calls",
    `###\n# @all\neth_getLogs [{ "address": "${token}", "fromBlock": "0x0", "toBlock": "0x3e7" }]\n`,
  )
  check("an error of the server", `###\neth_call [{ "to": "${token}", "data": "0xffffffff" }, "latest"]\n`, 3)
  check(
    "calls that go together",
    ["0x313ce567", "0x95d89b41", "0x18160ddd"]
      .map((data) => `###\n# @multicall on\neth_call [{ "to": "${token}", "data": "${data}" }, "latest"]\n`)
      .join("\n"),
  )
  check(
    "units of a token",
    `###\n# @units ${token}\neth_getLogs [{ "address": "${token}", "fromBlock": "0x64", "toBlock": "0x65" }]\n`,
  )

  check("a block by its time", `###\nevm_blockAt ["2023-11-14T23:20"]\n`)
  check(
    "rows",
    `@holders = [{ "address": "${token}" }, { "address": "0x${"1".repeat(40)}" }]

### balances
# @each holders
eth_getBalance [{{row.address}}, "latest"]
?? every(result >= 0)
`,
  )
  check("a comparison", `###\n# @compare other\neth_getBalance ["${token}", "0x1"]\n`)
  check("a comparison at a block that is looked up", `###\n# @compare other\neth_getBalance ["${token}", "latest"]\n`)
  check(
    "comparisons that share a lookup",
    `###\n# @compare other\neth_getBalance ["${token}", "latest"]\n\n###\n# @compare other\neth_getCode ["${token}", "latest"]\n`,
  )

  check("the same call twice", `###\neth_blockNumber []\n\n###\neth_blockNumber []\n`)

  it("a replay needs no key", async () => {
    const cwd = projectOf("### head\neth_blockNumber []\n")
    await run(cwd, "--record", "recordings")
    const replayed = await runAt({ cwd, env: { CANARY: "" } }, "--replay", "recordings")
    expect(replayed).toMatchObject({ code: 0, report: { credits: { spent: 0, avoided: 80 } } })
  })

  it("a request that was changed since sends nothing, and the message names what differs", async () => {
    const cwd = projectOf(`###\neth_getStorageAt ["${token}", "0x0", "latest"]\n`)
    await run(cwd, "--record", "recordings")
    writeFileSync(join(cwd, "a.rpc"), `###\neth_getStorageAt ["${token}", "0x1", "latest"]\n`)
    const before = gateway.calls()
    const { code, report, stderr } = await run(cwd, "--replay", "recordings")
    expect({ code, calls: gateway.calls() - before }).toEqual({ code: 3, calls: 0 })
    expect(report.files[0]?.requests[0]).toMatchObject({ status: "failed", error: { id: "RPC-2023" } })
    expect(stderr).toMatch(/params\[1\] was "0x0+" and is "0x0*1"/)
  })
})

describe("what makes no sense", () => {
  const refused = (flags: ReadonlyArray<string>, message: string) =>
    it(flags.join(" "), async () => {
      const cwd = projectOf("###\neth_blockNumber []\n")
      const before = gateway.calls()
      const { code, stderr } = await startAt({ cwd }, "run", "a.rpc", ...flags).outcome
      expect({ code, calls: gateway.calls() - before }).toEqual({ code: 2, calls: 0 })
      expect(stderr).toContain(message)
    })

  refused(["--record", "a", "--replay", "b"], "--record and --replay exclude each other")
  refused(["--record", "a", "--dry-run"], "--dry-run makes no calls")
  refused(["--replay="], "need the name of a folder")
})
