import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

/** What the node was sent, and what it answers. */
const sent: Array<{ readonly method: string; readonly params: unknown }> = []
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const { id, method, params } = JSON.parse(body) as {
      readonly id: number
      readonly method: string
      readonly params: unknown
    }
    sent.push({ method, params })
    if (method === "eth_fails") return response.writeHead(503).end("restarting")
    const result = method === "eth_getLogs" ? "[]" : '{"peers":12345678901234567890}'
    return response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
  })
})
let folder: string
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  folder = temporaryFolder()
  const networks = {
    evm: { plugin: "evm", url },
    l2: { plugin: "l2-events", url },
    other: { plugin: "evm", url },
  }
  writeFileSync(join(folder, "rpc.config.json"), JSON.stringify({ networks, ledger: "memory" }))
})
afterAll(() => {
  node.closeAllConnections()
  node.close()
})

const call = async (...args: ReadonlyArray<string>) => {
  sent.length = 0
  return startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "call", ...args).outcome
}

describe("the params of dotrpc call", () => {
  const check = (args: ReadonlyArray<string>, params: unknown) =>
    it(args.join(" "), async () => {
      const { code, stderr } = await call("eth_any", ...args, "--unchecked", "--network", "evm")
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(sent).toEqual([{ method: "eth_any", params }])
    })
  check([], [])
  check(["latest", "0x10"], ["latest", "0x10"])
  check(["1", "true", "null", '"2"'], [1, true, null, "2"])
  check(["4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"], ["4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"])
  check(['[{"fromBlock":"0x0"}]'], [{ fromBlock: "0x0" }])
  check(['["a"]', "b"], [["a"], "b"])
  check(['{"a":1}'], [{ a: 1 }])
  check(['"{{x}}"'], ["{{x}}"])
  check(["7 days ago", "2026-11-01T12:30:00+02:00"], ["7 days ago", "2026-11-01T12:30:00+02:00"])

  it("keep their digits", async () => {
    const { stdout } = await call("eth_any", "12345678901234567890", "--unchecked", "--dry-run")
    expect(stdout).toMatch(/~80 credits.*\n~ the provider does not publish this price/)
    expect((await call("eth_any", "12345678901234567890", "--unchecked")).code).toBe(0)
  })

  const refuse = (what: string, said: RegExp, ...args: ReadonlyArray<string>) =>
    it(`are refused: ${what}`, async () => {
      const { code, stderr, stdout } = await call(...args)
      expect(code).toBe(2)
      expect(stdout + stderr).toMatch(said)
      expect(sent).toEqual([])
    })
  refuse("JSON that is cut off", /\[\{ is not JSON: Expected/, "eth_getLogs", "[{")
  refuse("words with quotes between them", /a "b is not JSON/, "eth_any", 'a "b', "--unchecked")
  refuse("what the method does not take", /A105/, "eth_getLogs", '[{"adress":"0x1"}]')
  const filter = (members: object) => JSON.stringify({ filter: { chunk_size: 10, ...members } })
  refuse(
    "a mistake inside params by name",
    /a whole number from 1 to \d+, found "ten"/,
    "l2_getEvents",
    filter({ chunk_size: "ten" }),
  )
  refuse("a flat list inside params by name", /an array of felts/, "l2_getEvents", filter({ keys: ["0x1"] }))
  refuse("a misspelt member of params by name", /did you mean "address"/, "l2_getEvents", filter({ adress: "0x1" }))
  refuse("a name that is missing", /"filter" is missing/, "l2_getEvents", "{}")
  refuse(
    "params by position where names are wanted",
    /expected params by name, \{"block_id": …, "contract_address": …\}/,
    "l2_getNonce",
    "latest",
    "0x1",
  )
  refuse("what is not a name", /"#x" is neither the name of a method nor the address of a contract/, "#x")
  refuse("an unknown network", /A103 unknown network "evn"/, "eth_getLogs", "{}", "--network", "evn")
})

describe("dotrpc call", () => {
  it("takes params by name as well as by position", async () => {
    const filter = '{"filter":{"from_block":{"block_number":0},"to_block":{"block_number":3},"chunk_size":10}}'
    const { stdout } = await call("l2_getEvents", filter, "--dry-run")
    expect(stdout).toMatch(/l2_getEvents +l2_getEvents +l2 /)
  })

  it("refuses what a limit does not cover, and sends nothing", async () => {
    const { code, stderr, stdout } = await call("eth_getLogs", "{}", "--max-credits", "100")
    expect({ code, sent }).toEqual({ code: 4, sent: [] })
    expect(stdout + stderr).toContain("--max-credits of 100 has 100 left")
  })

  it("ends with the exit code of a run", async () => {
    expect((await call("eth_getLogs", "{}")).code).toBe(0)
    expect((await call("eth_fails", "--unchecked")).code).toBe(3)
    // Nobody knows whether it changes something, so it was not sent again.
    expect(sent.length).toBe(1)
  })

  it("offers --unchecked for a method that no plugin knows", async () => {
    const { code, stdout } = await call("eth_any")
    expect({ code, sent }).toEqual({ code: 2, sent: [] })
    expect(stdout).toContain("To send it as it is, add --unchecked")
  })

  it("asks for the network of a method whose family is not known", async () => {
    const { code, stdout } = await call("foo", "--unchecked")
    expect({ code, sent }).toEqual({ code: 2, sent: [] })
    expect(stdout).toContain("no plugin knows foo, so it has no network: add --network ID")
  })

  it("names the flag of another network", async () => {
    const { stdout } = await call("eth_chainId", "--network", "l2")
    expect(stdout).toMatch(/but network "l2" answers those of l2-events; add --network \w+\n/)
    expect(stdout).not.toContain("# @network evm")
  })

  it("reports an assumed price and an exact result as JSON", async () => {
    const { stdout } = await call("eth_any", "--unchecked", "--format", "json")
    expect(stdout).toContain("12345678901234567890")
    const report = JSON.parse(stdout) as { readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<object> }> }
    expect(report.files[0]?.requests).toMatchObject([{ method: "eth_any", status: "ok", credits: 80, assumed: true }])
  })
})

it("compares the call on two networks", async () => {
  const { code, stdout } = await call("eth_any", "--unchecked", "--network", "evm", "--compare", "other")
  expect(stdout).toContain("equal on other")
  expect(sent.map(({ method }) => method)).toEqual(["eth_any", "eth_any"])
  expect(code).toBe(0)
})
