/** The plugin that `dotrpc import openrpc` makes of Ethereum's methods, as MetaMask publishes them, on both nodes. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { numberToHex } from "viem"
import { ask } from "../src/ask.ts"
import { dotrpc, type Report, reportOf } from "../src/Dotrpc.ts"
import { accounts, type DeployedLedger } from "../src/Ledger.ts"
import { expectSameJson } from "./sameJson.ts"

const require = createRequire(import.meta.url)
const home = mkdtempSync(join(tmpdir(), "dotrpc-imported-"))
const folder = join(home, "ethereum")

beforeAll(async () => {
  const document = require.resolve("@metamask/api-specs/dist/build/openrpc.json")
  const { exitCode, stderr } = await dotrpc(["import", "openrpc", document, "--name", "ethereum"], {}, home)
  expect(exitCode, stderr).toBe(0)
  mkdirSync(join(folder, "node_modules/@dotrpc"), { recursive: true })
  for (const name of ["@dotrpc/spec", "effect"])
    symlinkSync(realpathSync(dirname(require.resolve(`${name}/package.json`))), join(folder, "node_modules", name))
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc")
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: folder })
})
afterAll(() => rmSync(home, { recursive: true }))

/** Calls that a node answers without a wallet, by name. */
const calls = ({ address, transactions }: DeployedLedger): Readonly<Record<string, readonly [string, Json.Json]>> => ({
  chain: ["eth_chainId", []],
  head: ["eth_blockNumber", []],
  client: ["web3_clientVersion", []],
  balance: ["eth_getBalance", [accounts.carol, "latest"]],
  nonce: ["eth_getTransactionCount", [accounts.alice, "0x6"]],
  code: ["eth_getCode", [address, "latest"]],
  stored: ["eth_getStorageAt", [address, "0x0", "latest"]],
  block: ["eth_getBlockByNumber", ["0x5", false]],
  fullBlock: ["eth_getBlockByNumber", ["0x5", true]],
  noBlock: ["eth_getBlockByHash", [numberToHex(1, { size: 32 }), false]],
  transaction: ["eth_getTransactionByHash", [transactions.lastDeposit]],
  created: ["eth_getTransactionByHash", [transactions.deploy]],
  receipt: ["eth_getTransactionReceipt", [transactions.deploy]],
  logs: ["eth_getLogs", [{ address, fromBlock: "0x0", toBlock: "0x6" }]],
  total: ["eth_call", [{ to: address, input: "0x2ddbd13a" }, "latest"]],
  fees: ["eth_feeHistory", ["0x4", "0x6", [25, 75]]],
  syncing: ["eth_syncing", []],
})

/** Hardhat's transactions of type 2 are without the `yParity` that the document requires. */
const incomplete: Readonly<Record<"anvil" | "hardhat", ReadonlyArray<string>>> = {
  anvil: [],
  hardhat: ["fullBlock", "transaction", "created"],
}

describe.each(inject("nodes"))("on $name", ({ ledger, name, url }) => {
  let report: Report
  beforeAll(async () => {
    const requests = Object.entries(calls(ledger)).map(
      ([name, [method, params]]) => `### ${name}\n# @name ${name}\n${method} ${Json.stringify(params)}\n`,
    )
    writeFileSync(join(folder, "calls.rpc"), ["# @network node\n", ...requests].join("\n"))
    const config = { plugins: ["./dist/index.js"], networks: { node: { plugin: "ethereum", url } }, ledger: "memory" }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify(config))
    const run = await dotrpc(["run", join(folder, "calls.rpc"), "--trust", "--format", "json"])
    report = reportOf(run)
  })

  it.each(Object.entries(calls(ledger)))("%s is answered", async (call, [method, params]) => {
    expect(report.requests[call]?.error).toBeUndefined()
    expectSameJson(report.requests[call]?.result, await ask(url, method, params))
  })

  it("what the document requires and the node leaves out is noticed, and nothing else", () => {
    const found = Object.entries(report.requests).filter(([, { notes }]) => notes.length > 0)
    expect(found.map(([call]) => call)).toEqual(incomplete[name])
  })
})
