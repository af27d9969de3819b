/** A project in a script: what is wrong says so, and everything else runs as in the terminal. */
import { CreditLedger, RpcClient } from "@dotrpc/core"
import { Effect } from "effect"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"
import { projectLayer, runFile } from "../src/node/run.ts"
import { folderWith } from "./folder.ts"

const config = JSON.stringify({
  networks: { evm: { plugin: "evm", url: "embedded:evm" } },
  limits: { daily: 1_000 },
  ledger: "memory",
})
const files = {
  "rpc.config.json": config,
  "a.rpc":
    '# @import ./b.rpc\n### block\n# @name block\neth_getBlockByNumber ["{{number}}", false]\n### wrong\neth_x []\n',
  "b.rpc": '@number = "0x1"\n',
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe("a file that is run", () => {
  it("needs no WebSocket of the platform, which Node has from version 22 on only", async () => {
    vi.stubGlobal("WebSocket", undefined)
    const [report] = await runFile(join(folderWith(files), "a.rpc"))
    expect(report?.status).toBe("ok")
  })

  it("has a report of each request, with what it needs of other files", async () => {
    const reports = await runFile(join(folderWith(files), "a.rpc"))
    expect(reports.map(({ credits, request, status }) => [request.label, status, credits])).toEqual([
      ["block", "ok", 80],
      ["wrong", "failed", 0],
    ])
  })

  it.each([
    ["is not there", "c.rpc", {}, "c.rpc cannot be read: there is no such file"],
    ["has no request of that name", "a.rpc", { names: ["blok"] }, "blok"],
    ["is in an environment that its project does not have", "a.rpc", { environment: "prod" }, "prod"],
  ])("is refused where it %s", async (_, name, choices, message) => {
    await expect(runFile(join(folderWith(files), name), choices)).rejects.toThrow(message)
  })
})

describe("the client of a project", () => {
  it("has its limits", async () => {
    const balance = Effect.provide(CreditLedger.CreditLedger.balance, projectLayer(folderWith(files)))
    expect(await Effect.runPromise(balance)).toMatchObject({ daily: 1_000, spent: 0 })
  })

  it.each([
    ["a configuration with an error", { "rpc.config.json": '{ "networks": 7 }' }, "ProjectError"],
    [
      "a ledger whose secret is not set",
      { "rpc.config.json": '{ "ledger": "redis://user:{{$secret.NONE_OF_THESE}}@127.0.0.1:6379" }' },
      "LedgerProblem",
    ],
  ])("fails for %s", async (_, broken, name) => {
    const error = await Effect.runPromise(
      Effect.flip(Effect.provide(RpcClient.RpcClient, projectLayer(folderWith(broken)))),
    )
    expect([error.name, error.message]).toEqual([name, expect.stringMatching(/\S/)])
  })
})
