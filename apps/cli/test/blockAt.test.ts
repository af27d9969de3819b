/** `evm_blockAt` on the embedded chain, whose blocks come every 12 seconds from 2023-11-14 22:13:20 UTC on. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

const run = async (text: string, ...flags: ReadonlyArray<string>) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, "a.rpc"), text)
  const { code, stdout } = await startAt({ cwd }, "run", "a.rpc", "--format", "json", ...flags).outcome
  const { credits, files } = JSON.parse(stdout) as {
    readonly credits: { readonly spent: number; readonly estimated: object }
    readonly files: ReadonlyArray<{
      readonly requests: ReadonlyArray<{ readonly status: string; readonly calls: number; readonly credits: number }>
    }>
  }
  return { code, credits, requests: files.flatMap(({ requests }) => requests) }
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
  const { code, stdout } = await startAt({ cwd }, "run", "a.rpc").outcome
  expect(code).toBe(4)
  expect(stdout).toMatch(/refused · 2 calls · .* · ~160 credits/)
  expect(stdout).toContain(
    "the call needs 80 credits, and # @budget of 170 has 10 left. Before it, 160 credits in 2 calls had been spent.",
  )
  expect(stdout).not.toMatch(/^ *not sent|Nothing was sent/m)
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
