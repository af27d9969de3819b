import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { differenceOf } from "../src/golden/exchanges.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const cases = new URL("golden/", import.meta.url)

/** What the node answers: the replies of a golden file to exactly its requests, changed if a test wants that. */
let text = ""
let change = (reply: Record<string, Json.Json>): Record<string, Json.Json> => reply
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const { id, method, params } = Json.parse(body) as Record<string, Json.Json>
    const lines = text.split("\n")
    const place = lines.findIndex((line) => {
      if (!line.startsWith(">> ")) return false
      const known = Json.parse(line.slice(3)) as Record<string, Json.Json>
      return known["method"] === method && Json.stringify(known["params"] ?? []) === Json.stringify(params ?? [])
    })
    const reply =
      place === -1 ? { error: { code: -1, message: "not in the file" } } : Json.parse(lines[place + 1]?.slice(3) ?? "")
    response.end(Json.stringify(change({ ...(reply as Record<string, Json.Json>), id: id ?? null })))
  })
})

let folder: string
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  folder = temporaryFolder()
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({ networks: { evm: { plugin: "evm", url } }, ledger: "memory" }),
  )
})
afterAll(() => {
  node.closeAllConnections()
  node.close()
})

const run = (file: string, ...args: ReadonlyArray<string>) => {
  text = file
  writeFileSync(join(folder, "case.io"), file)
  return startAt({ cwd: folder, env: { XDG_DATA_HOME: join(folder, "data") } }, "run", "case.io", ...args).outcome
}

const read = (name: string) => readFileSync(new URL(name, cases), "utf8")

describe("a golden file passes against a node that answers as it says", () => {
  for (const name of readdirSync(cases))
    it(name, async () => {
      change = (reply) => reply
      const { code, stderr, stdout } = await run(read(name))
      expect({ code, stderr, failed: stdout.includes("✗") }).toEqual({ code: 0, stderr: "", failed: false })
    })
})

describe("a golden file fails against a node that answers otherwise", () => {
  const check = (name: string, what: string, other: typeof change, expected: string, exitCode = 1) =>
    it(`${name}: ${what}`, async () => {
      change = other
      const { code, stdout } = await run(read(name))
      change = (reply) => reply
      expect(code).toBe(exitCode)
      expect(stdout).toContain(expected)
    })
  check("balance.io", "another value", (reply) => ({ ...reply, result: "0x57" }), 'it is \\"0x57\\", not \\"0x56\\"')
  check("balance.io", "a leading zero", (reply) => ({ ...reply, result: "0x056" }), 'it is \\"0x056\\"')
  check(
    "balance.io",
    "an error",
    ({ id }) => ({ jsonrpc: "2.0", id: id ?? null, error: { code: 1, message: "" } }),
    "✗",
    3,
  )
  check("revert.io", "other data", (reply) => ({ ...reply, error: { code: 3, message: "", data: "0x" } }), "data is", 3)
  check("no-comment.io", "a result", ({ id }) => ({ jsonrpc: "2.0", id: id ?? null, result: null }), "it is null")
  check("speconly.io", "not of the schema", (reply) => ({ ...reply, result: "five" }), "✗")
})

it("another message of an error passes, and so does another value after speconly", async () => {
  change = (reply) => ({ ...reply, error: { code: -32602, message: "quite other words" } })
  expect((await run(read("no-comment.io"))).code).toBe(0)
  change = (reply) => ({ ...reply, result: "0x1" })
  expect((await run(read("speconly.io"))).code).toBe(0)
  change = (reply) => reply
})

it("a report names the lines of the file", async () => {
  const { stdout } = await run(read("trace.io"), "--format", "json")
  const lines = (
    Json.parse(stdout) as {
      readonly files: ReadonlyArray<{ readonly requests: ReadonlyArray<{ readonly line: number }> }>
    }
  ).files[0]
  expect(lines?.requests.map(({ line }) => line)).toEqual([2, 6])
})

describe("what is not a golden file is refused with its line", () => {
  const check = (file: string, expected: string) =>
    it(JSON.stringify(file), async () => {
      const { code, stderr } = await run(file)
      expect(code).toBe(2)
      expect(stderr).toContain(expected)
    })
  check(">> {}\n", "case.io:1:1 expected a JSON-RPC request with a method after >>")
  check("// a\n>> {\n", "case.io:2:1 expected a JSON-RPC request")
  check("// a\n<< {}\n", "case.io:2:1 expected a JSON-RPC reply after <<, directly below its request")
  check("eth_chainId []\n", "case.io:1:1 expected a line that begins with //, >> or <<")
})

it("any change of a value is a difference, and no value differs from itself", () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const [found, expected] = [Json.parse(JSON.stringify(left)), Json.parse(JSON.stringify(right))]
      expect(differenceOf(found, found)).toBeUndefined()
      const isSame = sorted(found) === sorted(expected)
      expect(differenceOf(found, expected) === undefined).toBe(isSame)
    }),
  ))

/** A value as text, whatever the order of its members. */
function sorted(value: Json.Json): string {
  if (Json.isArray(value)) return `[${value.map(sorted).join()}]`
  if (!Json.isObject(value)) return Json.stringify(value)
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join()}}`
}
