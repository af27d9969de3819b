import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const word = (digits: string) => digits.padStart(64, "0")

const logAt = (index: number, topics: ReadonlyArray<string>) => ({
  address: token,
  topics,
  data: `0x${word("5")}`,
  blockNumber: "0x1",
  blockHash: `0x${word("1")}`,
  transactionHash: `0x${word("2")}`,
  transactionIndex: "0x0",
  logIndex: `0x${index}`,
  removed: false,
})
/** What the node was sent as data, and what it answers to each selector. */
const sent: Array<string> = []
const answers: Readonly<Record<string, object>> = {
  "0x70a08231": { result: `0x${word("ffffffffffffffffff")}` },
  // transfer: InsufficientBalance(5, 10)
  "0xa9059cbb": { error: { code: 3, message: "execution reverted", data: `0xcf479181${word("5")}${word("a")}` } },
  logs: {
    result: [
      logAt(0, [`0x${word("77")}`]),
      logAt(1, [
        "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
        `0x${word("a1")}`,
        `0x${word("b2")}`,
      ]),
    ],
  },
  // pair: two outputs
  "0xa8aa1b31": { result: `0x${word("5")}${word("1")}` },
  // openOrders: two structs
  "0xb0ece8fb": { result: `0x${[word("20"), word("2"), word("1"), word("7"), word("2"), word("9")].join("")}` },
}
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const { id, params } = JSON.parse(body) as { readonly id: number; readonly params: [{ readonly data?: string }] }
    const { data = "logs" } = params[0]
    sent.push(data)
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answers[data.slice(0, 10)] }))
  })
})

const abi = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256" },
    ],
  },
  {
    type: "function",
    name: "balanceOf",
    inputs: [{ name: "holder", type: "address" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  {
    type: "function",
    name: "transfer",
    inputs: [
      { name: "to", type: "address" },
      { name: "amount", type: "uint256" },
    ],
    outputs: [{ name: "", type: "bool" }],
  },
  {
    type: "function",
    name: "openOrders",
    inputs: [],
    outputs: [
      {
        name: "",
        type: "tuple[]",
        components: [
          { name: "id", type: "uint256" },
          { name: "price", type: "uint256" },
        ],
      },
    ],
  },
  {
    type: "error",
    name: "InsufficientBalance",
    inputs: [
      { name: "available", type: "uint256" },
      { name: "required", type: "uint256" },
    ],
  },
]

let folder: string
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  folder = temporaryFolder()
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({ networks: { evm: { plugin: "evm", url } }, ledger: "memory" }),
  )
  writeFileSync(join(folder, "Token.json"), JSON.stringify({ _format: "hh3-artifact-1", contractName: "Token", abi }))
})
afterAll(() => {
  node.closeAllConnections()
  node.close()
})

const run = (text: string, ...args: ReadonlyArray<string>) => {
  sent.length = 0
  writeFileSync(join(folder, "a.rpc"), `# @abi ./Token.json\n@token = "${token}"\n@holder = "${holder}"\n${text}`)
  return startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "run", "a.rpc", ...args).outcome
}

interface Report {
  readonly files: ReadonlyArray<{
    readonly requests: ReadonlyArray<{ readonly decoded?: unknown; readonly error?: unknown }>
  }>
}

const balance = `###
# @name balance
eth_call [{ "to": {{token}}, "data": {{call("balanceOf(address)", holder)}} }, "latest"]
?? result.decoded == 4722366482869645213695
`

describe("a call to a contract by name", () => {
  it("is sent, and its result is shown decoded", async () => {
    const { code, stdout } = await run(balance)
    expect(sent).toEqual([`0x70a08231${word(holder.slice(2))}`])
    expect(stdout).toContain("4,722,366,482,869,645,213,695 · uint256")
    expect(code).toBe(0)
  })

  it("is reported decoded with every digit", async () => {
    const { stdout } = await run(balance, "--format", "json")
    expect(stdout).toContain('"decoded": "4722366482869645213695"')
  })

  it("is decoded for a later request", async () => {
    const { code } = await run(
      `${balance}###\neth_call [{ "to": {{token}}, "data": {{call("balanceOf(uint256) returns (uint256)", balance.result.decoded)}} }]\n`,
    )
    // No function has this selector, so the node answers neither result nor error.
    expect(sent[1]).toMatch(new RegExp(`^0x9cc7f708${word("ffffffffffffffffff")}$`))
    expect(code).toBe(3)
  })

  it("has a row for each struct of an array", async () => {
    const { stdout } = await run(
      `###\neth_call [{ "to": {{token}}, "data": {{call("openOrders")}} }]\n?? result.decoded[1].price == 9\n`,
    )
    expect(stdout).toMatch(/item.*id.*price/)
    expect(stdout).toContain("1 of 1 checks passed")
  })
})

describe("what a contract returned is decoded by its type and never by its value", () => {
  const structs = '[{"id":"1","price":"7"},{"id":"2","price":"9"}]'
  const orders = `###\n# @name orders\neth_call [{ "to": {{token}}, "data": {{call("openOrders")}} }]\n`
  const rows = orders.replace("orders\n", "orders\n# @each rows.csv\n")
  const check = (title: string, text: string, args: ReadonlyArray<string>, out: string, err = "") =>
    it(title, async () => {
      writeFileSync(join(folder, "rows.csv"), "who\na\nb\n")
      const { stderr, stdout } = await run(text, ...args)
      expect(stderr).toContain(err)
      expect(args.includes("json") ? JSON.stringify(JSON.parse(stdout)) : stdout).toContain(out)
    })
  check("in JSON", orders, ["--format", "json"], `"decoded":${structs}`)
  check("in JSON of rows", rows, ["--format", "json"], `"decoded":${structs}`)
  check("as a value", orders, ["--format", "value"], `${structs}\n`)
  check("as a value of each row", rows, ["--format", "value"], `${structs}\n${structs}\n`)
  check("in CSV", orders, ["--format", "csv"], "id,price\r\n1,7\r\n2,9\r\n")
  check("in CSV of rows", rows, ["--format", "csv"], `"${structs.replaceAll('"', '""')}"\r\nb,`)
  const pair = `###\neth_call [{ "to": {{token}}, "data": {{call("pair() returns (uint256, bool)")}} }]\n`
  const pairs = pair.replace("\n", "\n# @each rows.csv\n")
  check(
    "by position where outputs have no names, in JSON",
    pair,
    ["--format", "json"],
    '"decoded":{"arg0":"5","arg1":true}',
  )
  check("by position in CSV", pair, ["--format", "csv"], "arg0,arg1\r\n5,true\r\n")
  check("by position in CSV of rows", pairs, ["--format", "csv"], ",decoded.arg0,decoded.arg1\r\na,")
  check("by position in the table", pair, [], "arg1")
  const logs = `###\neth_getLogs [{ "address": {{token}} }]\n`
  const unknown = "dotrpc: 1 of 2 items were not decoded: the columns have what the server sent\n"
  check("in CSV of logs, and what is not is counted", logs, ["--format", "csv"], '"Transfer(address,', unknown)
  check("in a table of logs", logs, [], "1 of 2 logs is of an event that nobody declares: topics and data are shown")
})

describe("a call that reverts", () => {
  const transfer = `###\neth_call [{ "to": {{token}}, "data": {{call("transfer", holder, 10)}} }]\n`

  it("says which error of the ABI it was", async () => {
    const { code, stdout } = await run(transfer)
    expect(stdout).toContain("reverted with InsufficientBalance(available: 5, required: 10)")
    expect(code).toBe(3)
  })

  it("is expected by a check that reads its arguments", async () => {
    const { code, stdout } = await run(`${transfer}?? error.decoded.args.required == 10\n`, "--format", "json")
    const [first] = (JSON.parse(stdout) as Report).files[0]?.requests ?? []
    expect(first?.error).toMatchObject({
      decoded: { error: "InsufficientBalance", args: { available: "5", required: "10" } },
    })
    expect(code).toBe(0)
  })
})

it("a call that does not fit the ABI is not sent", async () => {
  const { code, stderr, stdout } = await run(
    `###\neth_call [{ "to": {{token}}, "data": {{call("balancOf", holder)}} }]\n`,
  )
  expect(sent).toEqual([])
  expect(stdout + stderr).toContain('no function balancOf is declared; did you mean "balanceOf"?')
  expect(readFileSync(join(folder, "a.rpc"), "utf8")).toContain("balancOf")
  expect(code).toBe(2)
})
