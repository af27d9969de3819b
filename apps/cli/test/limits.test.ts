/** The provider's credits and the user's own daily limit are both used up somewhere: every output says which of the two it is. */
import { Json } from "@dotrpc/spec"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

let asked = 0
const provider = createServer((_, response) => {
  asked++
  response.writeHead(402).end('{"code":402,"message":"Payment Required"}')
})
beforeAll(() => new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve)))
afterAll(() => void provider.close())

const requests = "### first\neth_getLogs [{}]\n\n### second\neth_getLogs [{}]\n"

/** Whose credits are used up. */
const cases = {
  "the provider's": {
    config: () => ({
      networks: { evm: { plugin: "evm", url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/` } },
    }),
    exitCode: 3,
    message: /the provider's credits are used up: Payment Required/,
    advice: /Buy credits from the provider, .*dotrpc credits --network/,
    errors: [
      { reason: "BudgetExhausted", id: "RPC-2003", status: "rpc-error" },
      { reason: "BudgetExhausted", id: "RPC-2003", status: "failed" },
    ],
    asked: 1,
  },
  "the user's own": {
    config: () => ({ networks: { evm: { plugin: "evm", url: "embedded:evm" } }, limits: { daily: 100 } }),
    exitCode: 4,
    message: /the daily limit of 100 has 100 left. Nothing was sent/,
    advice: /Raise the daily limit .*limits\.daily.*dotrpc credits set/,
    errors: [
      { reason: "DailyLimitReached", id: "RPC-2020", status: "refused" },
      { reason: "DailyLimitReached", id: "RPC-2020", status: "refused" },
    ],
    asked: 0,
  },
} as const

describe.each(Object.entries(cases))("when %s credits are used up", (_, expected) => {
  const command = async (...args: ReadonlyArray<string>) => {
    asked = 0
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "rpc.config.json"), Json.stringify(expected.config()))
    writeFileSync(join(cwd, "a.rpc"), requests)
    const outcome = await startAt({ cwd }, ...args).outcome
    expect({ code: outcome.code, asked }).toEqual({ code: expected.exitCode, asked: expected.asked })
    return outcome
  }

  for (const format of ["pretty", "json", "ndjson", "junit", "tap"])
    it(`run says so in ${format}, and what to do`, async () => {
      const { stdout } = await command("run", "a.rpc", "--format", format)
      const text = format === "junit" ? stdout.replaceAll("&apos;", "'") : stdout
      expect(text).toMatch(expected.message)
      expect(text).toMatch(expected.advice)
    })
  it("run gives the stable reason and code", async () => {
    const { stdout } = await command("run", "a.rpc", "--format", "ndjson")
    const lines = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]))
    const errors = lines.flatMap(({ error, status }) =>
      error === undefined ? [] : [{ reason: error.reason, id: error.id, status }],
    )
    expect(errors).toEqual(expected.errors)
  })
  it("scan says so, and what to do", async () => {
    const { stderr } = await command("scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x5"}]')
    expect(stderr).toMatch(expected.message)
    expect(stderr).toMatch(expected.advice)
  })
})

interface Line {
  readonly status?: string
  readonly error?: { readonly reason: string; readonly id: string }
}
