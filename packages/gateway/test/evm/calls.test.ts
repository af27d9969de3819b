import { Effect } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readingAccountHistory } from "../../src/chain/AccountHistory.ts"
import { Gateway, generateChain, sampleContracts } from "../../src/index.ts"
import { madeInSteps } from "../../src/internal/madeInSteps.ts"
import { calls } from "../../src/methods/evm/run/calls.ts"
import { loadingEvm } from "../../src/methods/evm/run/loadingEvm.ts"
import { evmLimits } from "../../src/methods/evm/limits.ts"
import { networks } from "../../src/networks.ts"
import { now } from "../goldenFile.ts"

const chain = generateChain({ seed: 5, blocks: 200, logs: 2_000 })
const gateway = Gateway.make({ chain })

const ask = async (method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const reply = await Effect.runPromise(gateway.handle({ network: "evm", key: "local", body, now }))
  const { error, result } = JSON.parse(reply.body) as { readonly result?: unknown; readonly error?: unknown }
  return error ?? result
}

const [holders, blocks] = [
  [...new Set([...chain.logs(0, chain.head)].flatMap(({ topics }) => topics.slice(1)))].filter((topic) =>
    /^0x0{24}(?!0{36})/.test(topic),
  ),
  { min: 0, max: chain.head },
]

test("balanceOf returns what stands in the storage of the token, for every holder and block", () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(sampleContracts.token, sampleContracts.secondToken),
      fc.constantFrom(...holders),
      fc.integer(blocks),
      async (token, holder, number) => {
        const block = `0x${number.toString(16)}`
        const position = await ask("web3_sha3", [`${holder}${"0".repeat(64)}`])
        const stored = await ask("eth_getStorageAt", [token, position, block])
        const returned = await ask("eth_call", [{ to: token, input: `0x70a08231${holder.slice(2)}` }, block])
        // There is no contract before block 1.
        expect(returned).toBe(number === 0 ? "0x" : stored)
      },
    ),
  ))

test("a transaction with the estimated gas succeeds, and with a tenth less it does not", () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...holders), fc.bigInt({ min: 0n, max: 1_000n }), async (to, amount) => {
      const request = {
        from: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        to: sampleContracts.token,
        input: `0xa9059cbb${to.slice(2)}${amount.toString(16).padStart(64, "0")}`,
      }
      const gas = await ask("eth_estimateGas", [request, "latest"])
      expect(gas).toMatch(/^0x/)
      expect(await ask("eth_call", [{ ...request, gas }, "latest"])).toMatch(/01$/)
      const less = `0x${((BigInt(String(gas)) * 9n) / 10n).toString(16)}`
      expect(await ask("eth_call", [{ ...request, gas: less }, "latest"])).toMatchObject({ code: -32000 })
    }),
    { numRuns: 20 },
  ))

const ethCallFor = (callMillis: number) => {
  const served = calls({
    network: networks.evm,
    chain: () => chain,
    history: madeInSteps(() => readingAccountHistory(chain)),
    loadEvm: loadingEvm(),
    limits: { ...evmLimits, callGas: 10n ** 12n, callMillis },
    queryMillis: () => 0,
    hints: false,
  })
  const found = served.find(({ name }) => name === "eth_call")
  if (found === undefined) throw new Error("there is no eth_call")
  return found
}

/** Creation code that jumps to its beginning. */
const endless = [{ input: "0x5b5f56" }]

test("an endless loop lets others have their turn, and ends with a timeout", async () => {
  const order: Array<string> = []
  const loop = Effect.runPromise(Effect.flip(ethCallFor(60).call(endless))).then((fault) => {
    order.push("loop")
    return fault
  })
  await ask("eth_blockNumber", []).then(() => order.push("other"))
  expect(await loop).toMatchObject({ code: -32000, message: "execution aborted (timeout = 60ms)" })
  expect(order).toEqual(["other", "loop"])
})

test("a call that nobody waits for ends", async () => {
  const stop = new AbortController()
  const run = Effect.runPromiseExit(ethCallFor(600_000).call(endless), { signal: stop.signal })
  await ask("eth_call", [{ input: "0x00" }])
  stop.abort()
  expect((await run)._tag).toBe("Failure")
})

test("the EVM is loaded once, and again after it could not be", async () => {
  let attempts = 0
  const load = loadingEvm(() => {
    attempts++
    return attempts === 1 ? Promise.reject(new Error("offline")) : Promise.resolve({ attempts })
  })
  await expect(load()).rejects.toThrow("offline")
  expect(await load()).toEqual({ attempts: 2 })
  expect(await load()).toEqual({ attempts: 2 })
})
