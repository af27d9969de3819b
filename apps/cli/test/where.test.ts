/** `dotrpc where`: prices of a file at every network, compared with what runs of it are charged. */
import { sheetOf } from "@dotrpc/prices"
import { PriceSheet } from "@dotrpc/spec"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
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

type Settings = Readonly<Record<string, unknown>>

const project = (networks: Readonly<Record<string, Settings>>, file: string): string => {
  const cwd = temporaryFolder()
  const all = Object.entries(networks).map(([id, settings]) => [id, { plugin: "evm", url: gateway.url, ...settings }])
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: Object.fromEntries(all), ledger: "memory" }))
  writeFileSync(join(cwd, "a.rpc"), file)
  return cwd
}

/** What scans have learned in one project says nothing about another one here. */
const placeOf = (cwd: string) => ({ cwd, env: { XDG_DATA_HOME: join(cwd, "data") } })

const where = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await startAt(placeOf(cwd), "where", "a.rpc", "--format", "json", ...args).outcome
  expect([code, stderr]).toEqual([0, ""])
  return JSON.parse(stdout)
}

const logs = (to: string) => `### Logs\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "${to}" }]\n`
const all = (to: string) => logs(to).replace("\n", "\n# @all\n")
const balance = '### B\neth_getBalance ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "latest"]\n'
const block = '### Block\neth_getBlockByNumber ["0x10", false]\n'
const receipts = '### R\neth_getBlockReceipts ["0x10"]\n'

describe("the cheapest of a project is the one whose run is charged the least", () => {
  const at = (prices: string, more: Settings = {}) => ({ prices, ...more })
  const check = (said: string, networks: Readonly<Record<string, Settings>>, file: string) =>
    it(said, async () => {
      const cwd = project(networks, file)
      const { cheapest, places } = await where(cwd)
      const paid = new Map<string, number>()
      for (const [id, { prices }] of Object.entries(networks)) {
        if (places.some(({ network, possible }: Settings) => network === id && possible === false)) continue
        const { code, stdout } = await startAt(placeOf(cwd), "run", "a.rpc", "--network", id, "--format", "json")
          .outcome
        expect([id, code]).toEqual([id, 0])
        const { spent } = JSON.parse(stdout).credits
        const sheet = typeof prices === "string" ? sheetOf(prices) : undefined
        paid.set(id, (sheet === undefined ? undefined : PriceSheet.usdOf(sheet, spent)) ?? spent)
      }
      const [least] = [...paid].toSorted(([, left], [, right]) => left - right)
      expect(cheapest).toBe(least?.[0])
    })
  const two = { a: at("alchemy"), d: at("drpc") }
  check("logs", two, logs("0xff"))
  check("a balance", two, balance)
  check("a block", two, block)
  check("receipts", two, receipts)
  check("all of it", two, [logs("0xff"), balance, block, receipts].join("\n"))
  check("pieces of ten blocks or one call", { a: at("alchemy", { spanCap: 10 }), d: at("drpc") }, all("0x63"))
  check("pieces of both", { a: at("alchemy", { spanCap: 50 }), d: at("drpc", { spanCap: 10 }) }, all("0x63"))
  check("credits of your own", { a: { credits: { eth_getLogs: 60 } }, b: {} }, logs("0xff"))
  check("a node that is free", { a: { credits: { "*": 0 } }, b: at("alchemy") }, balance)
  check("a network whose limit the file exceeds", { a: at("drpc", { spanCap: 10 }), b: at("alchemy") }, logs("0xff"))
})

describe("a place", () => {
  it("says why a network cannot answer the file", async () => {
    const cwd = project({ a: { spanCap: 10 }, b: {}, c: { methods: { eth_getLogs: false } } }, logs("0xff"))
    expect(await where(cwd)).toEqual({
      version: 1,
      file: "a.rpc",
      cheapest: "b",
      places: [
        { network: "b", unit: "credits", min: 255, max: 255, possible: true },
        expect.objectContaining({
          network: "a",
          possible: false,
          reason: expect.stringContaining("more than the 10 of one call"),
        }),
        expect.objectContaining({ network: "c", possible: false, reason: expect.stringContaining("eth_getLogs") }),
      ],
    })
  })
  it("is each network by each sheet of --prices, and only a configured one is the cheapest", async () => {
    const { cheapest, places } = await where(project({ a: {} }, logs("0xff")), "--prices", "alchemy,drpc")
    expect(cheapest).toBe("a")
    expect(places.map(({ min, prices, unit }: Settings) => [prices, min, unit]).toSorted()).toEqual([
      [undefined, 255, "credits"],
      ["alchemy", 60, "CU"],
      ["drpc", 20, "CU"],
    ])
  })
  it("is not one that is built into dotrpc, where nobody is paid", async () => {
    const networks = { built: { url: "embedded:evm" }, paid: { prices: "alchemy" } }
    const cwd = project(networks, logs("0xff"))
    const { cheapest, places } = await where(cwd)
    expect([cheapest, places.map(({ network }: Settings) => network)]).toEqual(["paid", ["paid", "built"]])
    expect((await startAt(placeOf(cwd), "where", "a.rpc").outcome).stdout).toMatch(/built +255 credits +built in/)
    expect((await where(project({ built: { url: "embedded:evm" } }, logs("0xff")))).cheapest).toBe("built")
  })
  it("is shown without a secret, and nothing is sent", async () => {
    const cwd = project({ a: { url: "https://node.example/{{$secret.NOT_SET}}" } }, logs("0xff"))
    const { code, stdout } = await startAt({ cwd }, "where", "a.rpc").outcome
    expect([code, stdout]).toEqual([0, expect.stringMatching(/a +255 credits +the cheapest/)])
  })
  it("is not there for a file that does not exist", async () => {
    const { code, stderr } = await startAt({ cwd: project({ a: {} }, "") }, "where", "gone.rpc").outcome
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^dotrpc: .*gone\.rpc/)])
  })
  const checkRefused = (said: string, name: string, text: string, words: RegExp) =>
    it(`is not there for ${said}`, async () => {
      const cwd = project({ a: {}, b: {} }, "")
      if (name !== "rpc.config.json") writeFileSync(join(cwd, name), text)
      for (const format of ["pretty", "json"]) {
        const { code, stderr, stdout } = await startAt(placeOf(cwd), "where", name, "--format", format).outcome
        expect([code, stdout]).toEqual([2, ""])
        expect(stderr).toMatch(words)
        expect(stderr.match(words)?.length).toBe(1)
      }
    })
  checkRefused("a file with a mistake", "bad.rpc", "###\neth_getBalance [1,, \n", /bad\.rpc:2:19 error L\d+/g)
  checkRefused("an unknown method", "bad.rpc", "###\neth_getLgs []\n", /bad\.rpc:2:1 error A\d+/g)
  checkRefused("an empty file", "a.rpc", "", /a\.rpc has no requests: expected a \.rpc file/g)
  checkRefused("a configuration", "rpc.config.json", "", /rpc\.config\.json has no requests: expected a \.rpc file/g)
  checkRefused(
    "methods of no network",
    "a.rpc",
    '###\ngetTokenAccountsByOwner ["11111111111111111111111111111111"]\n',
    /no network of the configuration answers/g,
  )
  checkRefused("a page without requests", "a.md", "# Hello\n", /no ```rpc fence|has no requests/g)
})
