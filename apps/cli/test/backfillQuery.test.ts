/** Backfills of a request in a file. */
import { Json } from "@dotrpc/spec"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const networks = {
  evm: { plugin: "evm", url: "embedded:evm" },
  other: { plugin: "evm", url: "embedded:evm" },
  l2: { plugin: "l2-events", url: "embedded:l2" },
}

const folderWith = (text: string, name = "q.rpc"): string => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "rpc.config.json"), Json.stringify({ networks, env: ["WALLET"], ledger: "memory" }))
  writeFileSync(join(folder, "rows.csv"), "a\n0x1\n")
  writeFileSync(join(folder, name), text)
  return folder
}

/** A secret that could be sent. */
const wallet = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

const startIn = (cwd: string, ...args: ReadonlyArray<string>) =>
  startAt(
    { cwd, env: { XDG_DATA_HOME: join(cwd, "data"), WALLET: wallet } },
    "backfill",
    "start",
    ...args,
    "--output",
    "logs",
  ).outcome

const request = (range: string, directives = "") => `### logs\n${directives}eth_getLogs [{ ${range} }]\n`
const blocks = '"fromBlock": "0x0", "toBlock": "0x64"'

describe("a backfill reads the request of a file", () => {
  const check = (
    what: string,
    text: string,
    args: ReadonlyArray<string>,
    query: { readonly network?: string; readonly params?: Json.Json; readonly format?: string },
    name = "q.rpc",
  ) =>
    it(what, async () => {
      const cwd = folderWith(text, name)
      const { code, stderr } = await startIn(cwd, name, ...args)
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("\ndone: ") })
      const { network = "evm", params = [{ fromBlock: "0x0", toBlock: "0x64" }], format = "parquet" } = query
      expect(Json.parse(readFileSync(join(cwd, "logs", "_manifest.json"), "utf8"))).toMatchObject({
        state: "done",
        format,
        query: { method: "eth_getLogs", network, params },
      })
    })
  check("that is the only one", request(blocks), [], {})
  check("on its network", request(blocks, "# @network other\n"), [], { network: "other" })
  check("on the network of --network", request(blocks), ["--network", "other"], { network: "other" })
  check(
    "by its name, with the variables of the file",
    `@last = 0x64\n\n### first\neth_blockNumber\n\n${request('"fromBlock": "0x0", "toBlock": "{{last}}"')}`,
    ["--name", "logs"],
    {},
  )
  check(
    "with a variable of --var",
    `@last = 0x1\n\n${request('"fromBlock": "0x0", "toBlock": "{{last}}"')}`,
    ["--var", "last=0x5"],
    { params: [{ fromBlock: "0x0", toBlock: "0x5" }] },
  )
  check("in Markdown", `# Logs\n\n\`\`\`rpc\n${request(blocks)}\`\`\`\n`, [], {}, "q.md")

  it("with the columns of its # @abi, within its # @budget", async () => {
    const abi = "event Transfer(address indexed a, address indexed b, uint256 amount)"
    const cwd = folderWith(request(blocks, `# @abi ${abi}\n# @budget 100\n`))
    const paused = await startIn(cwd, "q.rpc", "--format", "csv", "--max-credits", "5000")
    expect({ code: paused.code, stderr: paused.stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("the limit of 100 credits does not allow another call"),
    })
    writeFileSync(join(cwd, "q.rpc"), request(blocks, `# @abi ${abi}\n`))
    expect((await startIn(cwd, "q.rpc", "--format", "csv", "--max-credits", "5000")).code).toBe(0)
    const parts = readdirSync(join(cwd, "logs")).filter((name) => name.endsWith(".csv"))
    expect(parts.map((name) => readFileSync(join(cwd, "logs", name), "utf8"))).toEqual([
      expect.stringContaining(",data,a,b,amount,event,"),
    ])
  })
})

describe("a backfill refuses", () => {
  const check = (what: string, text: string, args: ReadonlyArray<string>, said: string | RegExp) =>
    it(what, async () => {
      const cwd = folderWith(text)
      const { code, stderr } = await startIn(cwd, ...args)
      expect(stderr).toMatch(said)
      expect(stderr).not.toContain(wallet)
      expect({ code, sent: existsSync(join(cwd, "logs")) }).toEqual({ code: 2, sent: false })
    })
  check("a file that is not there", "", ["no.rpc"], /no\.rpc/)
  check("a file without a request", "@a = 1\n", ["q.rpc"], "dotrpc: q.rpc has no request")
  check(
    "several requests without a name",
    `${request(blocks)}\n${request(blocks).replace("logs", "more")}`,
    ["q.rpc"],
    'dotrpc: q.rpc has 2 requests: add --name with one of "logs", "more"',
  )
  check(
    "methods that only the file spells in another way",
    '### events\n# @network l2\nstarknet_getEvents { "filter": { "from_block": { "block_number": 0 }, "to_block": { "block_number": 9 }, "chunk_size": 10 } }\n',
    ["q.rpc"],
    'dotrpc: the methods of network "l2" begin with starknet_ here: write "methodWord": "starknet" into its entry',
  )
  check(
    "two requests, and names the one that has a range",
    `${request(blocks)}\n### head\neth_blockNumber\n`,
    ["q.rpc"],
    /^dotrpc: q\.rpc has 2 requests: add --name with one of "logs"$/m,
  )
  check(
    "two requests of one name",
    `${request(blocks)}\n${request(blocks)}`,
    ["q.rpc", "--name", "logs"],
    'dotrpc: q.rpc has 2 requests "logs": give one of them another name',
  )
  check(
    "a name that no request has",
    request(blocks),
    ["q.rpc", "--name", "c"],
    'dotrpc: q.rpc has no request "c"; expected one of "logs"',
  )
  check("a request with an error", request('"fromBlock": {{nope}}'), ["q.rpc"], /q\.rpc:2:\d+[^]*nope/)
  check("a call outside a section", "eth_blockNumber\n", ["q.rpc"], /q\.rpc:1:1/)
  check(
    "a method without a range",
    "### a\neth_blockNumber\n",
    ["q.rpc"],
    "dotrpc: q.rpc:2:1 eth_blockNumber has no range",
  )
  check(
    "what needs the result of another request",
    `### a\n# @name a\neth_blockNumber\n\n${request('"fromBlock": "0x0", "toBlock": "{{a.result}}"')}`,
    ["q.rpc", "--name", "logs"],
    /q\.rpc:6:[^]*"a" has no result yet: run it first/,
  )
  check(
    "a secret in the params",
    request(`${blocks}, "address": "{{$secret.WALLET}}"`),
    ["q.rpc"],
    /q\.rpc:2:13 the params have a secret, and what is kept of a scan has its params/,
  )
  check(
    "a variable of the environment in the params",
    request(`${blocks}, "address": "{{$env.WALLET}}"`),
    ["q.rpc"],
    /q\.rpc:2:13 the params have the variable WALLET of the environment, and what is kept of a scan has its params/,
  )
  check(
    "rows of # @each",
    request(blocks, "# @each rows.csv\n"),
    ["q.rpc"],
    /^dotrpc: q\.rpc:1:1 a scan reads one range: remove # @each/m,
  )
  check("rows of # @limit", request(blocks, "# @all\n# @limit 5\n"), ["q.rpc"], "remove # @limit")
  check("params beside a file", request(blocks), ["q.rpc", "[]"], "q.rpc has the params of its request: remove []")
  check("a method without params", "", ["eth_getLogs"], "write the params of eth_getLogs as JSON after it")
  check(
    "--name without a file",
    "",
    ["eth_getLogs", "[]", "--name", "a"],
    "--name and --var are for a request of a file",
  )
})
