/** What `dotrpc export` writes, run by the tools it is written for: they get what `dotrpc run` gets. */
import { Json } from "@dotrpc/spec"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { startChild } from "../src/Child.ts"
import { dotrpc, type Environment, type Report, reportOf } from "../src/Dotrpc.ts"
import { foundryBinary } from "../src/Foundry.ts"
import { canaryKey, type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"

const { address } = inject("ledger")

const requests = `@ledger = "${address}"

### number of the newest block
eth_blockNumber []

### logs
eth_getLogs [{ "address": {{ledger}}, "fromBlock": "0x0", "toBlock": "0x6" }]

### a block
eth_getBlockByNumber ["0x1", true]

### code
eth_getCode [{{ledger}}, "latest"]

### not there
eth_getTransactionReceipt ["0x${"0".repeat(64)}"]

### it's "quoted" $HOME \`id\` \\
# @unchecked
web3_sha3 ["0x68656c6c6f"]
`

const accountRequests = `### supply
getTokenSupply ["4uZXM4HhPGUe2M8j7w8f67DSBSutrPgUT8PhNTRxiSuF"]

### version
getVersion []

### programs
getProgramAccounts [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  { "encoding": "base64", "filters": [{ "dataSize": 82 }] },
]
`

describe("an exported file", () => {
  // Below this package, so that modules find their libraries.
  const folder = mkdtempSync(join(import.meta.dirname, "../.exported-"))
  /** As a person puts it into a URL. */
  const env: Environment = { API_KEY: encodeURIComponent(canaryKey) }
  let gateway: MeteredGateway
  let expected: Report

  beforeAll(async () => {
    gateway = await startGateway(inject("nodeUrl"))
    const at = (network: string) => `http://127.0.0.1:${gateway.port}/${network}/v3/{{$secret.API_KEY}}`
    const networks = {
      evm: { plugin: "evm", url: at("evm"), headers: { "X-Note": 'a "b" $HOME' } },
      accounts: { plugin: "token-accounts", url: at("accounts") },
    }
    writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
    writeFileSync(join(folder, "requests.rpc"), `${requests}\n${accountRequests}`)
    const run = await dotrpc(["run", "requests.rpc", "--format", "json"], { API_KEY: canaryKey }, folder)
    expected = reportOf(run)
    expect(Object.values(expected.requests).map(({ name, status }) => `${name}: ${status}`)).toEqual(
      Object.keys(expected.requests).map((name) => `${name}: ok`),
    )
  })

  afterAll(async () => {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const exported = async (format: string, file: string): Promise<void> => {
    const { exitCode } = await dotrpc(["export", format, "requests.rpc", "--output", file], env, folder)
    expect(exitCode).toBe(0)
  }

  /** The output of a program with the key in its environment. */
  const outputOf = async (command: string, ...args: ReadonlyArray<string>): Promise<string> => {
    const child = startChild(command, args, { env: { ...env, HOME: folder }, cwd: folder })
    const code = await child.ended
    expect({ code, stderr: child.stderr() }).toMatchObject({ code: 0 })
    return child.stdout()
  }

  const resultsOf = (plugin: "eth" | "get"): ReadonlyArray<Json.Json | undefined> =>
    Object.values(expected.requests)
      .filter(({ name }) => accountRequests.includes(`### ${name}\n`) === (plugin === "get"))
      .map(({ result }) => result)

  /** With numbers as JavaScript has them, as the libraries do not keep their digits, and at any slot, as slots go on. */
  const plain = (values: unknown): unknown =>
    JSON.parse(
      JSON.stringify(values, (name, value: unknown) =>
        name === "slot" ? 0 : typeof value === "bigint" ? Number(value) : value,
      ),
    )

  it("curl: a real shell and a real curl", async () => {
    await exported("curl", "requests.sh")
    const replies = Json.parse(`[${(await outputOf("sh", "requests.sh")).replaceAll(/\}(?=\{"jsonrpc")/g, "},")}]`)
    const results = Json.isArray(replies)
      ? replies.map((reply) => (Json.isObject(reply) ? reply["result"] : reply))
      : []
    expect(plain(results)).toEqual(plain([...resultsOf("eth"), ...resultsOf("get")]))
  })

  it("cast: a real shell and a real cast", async () => {
    await exported("cast", "cast.sh")
    mkdirSync(join(folder, "bin"))
    symlinkSync(foundryBinary("cast"), join(folder, "bin/cast"))
    const script = `PATH="${join(folder, "bin")}:$PATH"; . ./cast.sh`
    const lines = (await outputOf("sh", "-c", script)).trim().split("\n")
    expect(lines.map((line) => Json.parse(line))).toEqual(resultsOf("eth"))
  })

  /** Prints values so that they can be compared. */
  const preloaded = `data:text/javascript,${encodeURIComponent(
    'console.log = (_, value) => process.stdout.write(JSON.stringify(value ?? null, (_, part) => typeof part === "bigint" ? Number(part) : part) + "\\n")',
  )}`

  it.each([
    { library: "viem", plugin: "eth" as const },
    { library: "ethers", plugin: "eth" as const },
    { library: "kit", plugin: "get" as const },
  ])("$library: the module runs as it is", async ({ library, plugin }) => {
    await exported(library, `${library}.mjs`)
    const printed = await outputOf(process.execPath, "--import", preloaded, `${library}.mjs`)
    const values = printed
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(plain(values)).toEqual(plain(resultsOf(plugin)))
  })

  it("http: imported again, the requests give the same", async () => {
    await exported("http", "requests.http")
    const other = mkdtempSync(join(tmpdir(), "dotrpc-imported-"))
    onTestFinished(() => rmSync(other, { recursive: true }))
    const imported = await dotrpc(["import", "http", join(folder, "requests.http"), "--output", "a.rpc"], env, other)
    expect(imported.exitCode).toBe(0)
    const run = await dotrpc(["run", "a.rpc", "--format", "json"], { API_KEY: canaryKey }, other)
    const results = Object.values(reportOf(run).requests).map(({ result }) => result)
    expect(plain(results)).toEqual(plain([...resultsOf("eth"), ...resultsOf("get")]))
  })
})
