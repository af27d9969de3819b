/** `# @units`: the units of a token are read once, from the limits of the request, and change nothing but rows. */
import { describe, expect, it } from "@effect/vitest"
import { defineNetwork, RpcReason, Table, outlivesRun } from "@dotrpc/spec"
import { lineIndex } from "@dotrpc/lang/locate"
import { Effect } from "effect"
import { keptUnits, requestJson, unitsKey } from "../src/index.ts"
import { allowance, type Answer, play } from "./harness.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const word = (hex: string) => `0x${hex.padStart(64, "0")}`
const amount = 1_204_500_000n.toString(16)
const symbol: Answer = { result: `${word("20")}${word("4").slice(2)}${"55534443".padEnd(64, "0")}` }
const decimals: Answer = { result: word("6") }
const storage: Answer = { result: word(amount) }
const text = `###\n# @units ${token}\neth_getStorageAt ["${token}", "0x0", "latest"]\n?? result == "${word(amount)}"\n`
const answers = { eth_getStorageAt: storage, eth_call: [decimals, symbol] }

describe("the units of a token", () => {
  it.effect("are read once, and charged", () =>
    Effect.gen(function* () {
      const units = keptUnits()
      const first = yield* play({ text, answers, options: { units } })
      expect(first.plan.estimate).toMatchObject({ min: 80, max: 240 })
      expect(first.sent.map(({ method }) => method)).toEqual(["eth_getStorageAt", "eth_call", "eth_call"])
      const [report] = first.reports
      expect(report).toMatchObject({ status: "ok", calls: 3, credits: 240, result: word(amount) })
      expect(report?.note).toBe("amounts in USDC of 0x5fbdb2…180aa3, 6 decimals")
      const drawn = (options: object) => report?.render?.(9, undefined, options)
      expect(Table.summarize(drawn({ whole: true }) ?? { total: 0, columns: [], rows: [] })).toBe("1,204.5 USDC")
      expect(JSON.stringify(drawn({ whole: true, plain: true }))).not.toContain("USDC")
      expect(report === undefined ? undefined : requestJson(report, lineIndex(text))).toMatchObject({
        result: word(amount),
        units: { token, decimals: 6, symbol: "USDC" },
      })
      const second = yield* play({ text, answers, options: { units } })
      expect(second.reports[0]).toMatchObject({ calls: 1, credits: 80, units: { symbol: "USDC" } })
    }),
  )

  const check = (
    title: string,
    scenario: Omit<Parameters<typeof play>[0], "text">,
    expected: object,
    note: RegExp,
    isKept = false,
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        const units = keptUnits()
        const { plan, reports } = yield* play({ text, ...scenario, options: { units, ...scenario.options } })
        expect(reports[0]).toMatchObject({ status: "ok", result: word(amount), ...expected })
        expect(reports[0]?.note).toMatch(note)
        const network = plan.requests[0]?.network
        const key = network === undefined ? "" : unitsKey(network, token)
        expect((yield* units.read(key)) !== undefined).toBe(isKept)
      }),
    )
  const full = Effect.die(new Error("the disk is full"))
  check(
    "are shown where nothing can be kept",
    { answers, options: { units: { read: () => full, write: () => full } } },
    { calls: 3, units: { token, decimals: 6, symbol: "USDC" } },
    /^amounts in USDC of 0x5fbdb2…180aa3, 6 decimals$/,
  )
  const reverted: Answer = {
    reason: new RpcReason.Rejected({ said: "execution reverted", rpcCode: 3 }),
    outcome: "rpc-error",
  }
  const limited: Answer = { reason: new RpcReason.AuthFailed({ said: "no" }), outcome: "client-error" }
  check(
    "of an address that is not a token are not kept, and amounts stay as they are",
    { answers: { ...answers, eth_call: [reverted, reverted] } },
    { units: undefined, calls: 3 },
    /shown without units: the units of 0x5fbdb2…180aa3 could not be read: it has no decimals/,
  )
  check(
    "without a symbol are kept",
    { answers: { ...answers, eth_call: [decimals, reverted] } },
    { units: { decimals: 6 } },
    /^amounts in units of 0x5fbdb2…180aa3, 6 decimals; it has no symbol\(\)$/,
    true,
  )
  check(
    "are read again when the call for the symbol failed",
    { answers: { ...answers, eth_call: [decimals, limited] } },
    { units: undefined },
    /could not be read: the API key was not accepted/,
  )
  check(
    "are not read beyond a limit, and the result that was paid for stays",
    { answers, options: { allowance: allowance(200) } },
    { units: undefined },
    /could not be read: refused: the call needs 80 credits, and --max-credits of 200/,
  )

  const checkKept = (url: string, expected: boolean) =>
    it(`are ${expected ? "kept" : "read again in each run"} at ${url}`, () => {
      const isHttp = url.startsWith("http") || url.startsWith("embedded")
      const network = defineNetwork({ id: "a", plugin: "evm", ...(isHttp ? { url } : { wsUrl: url }) })
      expect(outlivesRun(network)).toBe(expected)
    })
  checkKept("https://node.example/key", true)
  checkKept("wss://node.example/key", true)
  checkKept("embedded:evm", true)
  checkKept("http://10.0.0.7:8545", true)
  checkKept("http://127.0.0.1:8545", false)
  checkKept("http://localhost:8545/key", false)
  checkKept("http://[::1]:8545", false)
  checkKept("ws://node.localhost:8545", true)

  it.effect("of a node on this machine are read once in a run, and again in the next", () =>
    Effect.gen(function* () {
      const units = keptUnits()
      const networks = { evm: { plugin: "evm", url: "http://127.0.0.1:8545" } }
      const twice = text + text
      const both = { ...answers, eth_call: [decimals, symbol, decimals, symbol] }
      for (const _ of [1, 2]) {
        const { reports } = yield* play({
          text: twice,
          answers: both,
          workspace: { config: { networks } },
          options: { units },
        })
        expect(reports.map(({ calls, units }) => [calls, units?.symbol])).toEqual([
          [3, "USDC"],
          [1, "USDC"],
        ])
      }
    }),
  )

  it.effect("are not read for an error", () =>
    Effect.gen(function* () {
      const { sent } = yield* play({ text, answers: { ...answers, eth_getStorageAt: limited } })
      expect(sent.map(({ method }) => method)).toEqual(["eth_getStorageAt"])
    }),
  )

  it("of one host, path, key, header, chain or network are not those of another, and no key is kept", () => {
    const at = (url: string, more: object = {}) => defineNetwork({ id: "a", plugin: "evm", url, ...more })
    const key = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
    const networks = [
      at(`https://node.example/eth/${key}`),
      at(`https://node.example/eth_sepolia/${key}`),
      at(`https://node.example/rpc?chain=base&key=${key}`),
      at(`https://node.example/rpc?chain=ethereum&key=${key}`),
      at(`https://other.example/eth/${key}`),
      at(`https://node.example/eth/${key}`, { id: "b" }),
      at(`https://node.example/eth/${key}`, { chainId: 1 }),
      at(`https://node.example/eth/${key}`, { headers: { "x-chain": "base" } }),
      at(`https://node.example/eth/${key}`, { wsUrl: `wss://node.example/base/${key}` }),
    ]
    const keys = networks.map((network) => unitsKey(network, token))
    expect(new Set(keys).size).toBe(networks.length)
    expect(keys.join("\n")).not.toContain(key)
    expect(unitsKey(at(`https://node.example/eth/${key}`), token)).toBe(keys[0])
  })
})
