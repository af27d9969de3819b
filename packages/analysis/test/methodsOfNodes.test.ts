/** Methods that no plugin knows: those that a price sheet or a node on this machine has, and what is said of the others. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze, makeWorkspace } from "../src/index.ts"

const { workspace } = makeWorkspace({
  plugins: [Evm.plugin, TokenAccounts.plugin, L2Events.plugin],
  config: {
    networks: {
      plain: { plugin: "evm", url: "https://plain.example" },
      main: { plugin: "evm", url: "https://main.example", prices: "alchemy", chainId: 1 },
      local: { plugin: "evm", url: "http://127.0.0.1:8545" },
      embedded: { plugin: "evm", url: "embedded:evm" },
      solana: { plugin: "token-accounts", url: "https://solana.example", prices: "alchemy" },
      starknet: { plugin: "l2-events", url: "https://starknet.example", prices: "alchemy", methodWord: "starknet" },
    },
  },
  now: 0,
})

const read = (text: string) => {
  const { diagnostics, requests } = analyze(parse(`###\n${text}\n`), workspace)
  return { diagnostics, request: requests[0] }
}

describe("a method that a sheet or a node knows is known", () => {
  const check = (text: string, network: string, price: object, writes?: true) =>
    it(text.replace("\n", " "), () => {
      const { diagnostics, request } = read(text)
      expect(diagnostics).toEqual([])
      expect(request?.network?.id).toBe(network)
      expect(request?.price).toMatchObject(price)
      expect(request?.method?.writes).toBe(writes)
    })
  check("alchemy_getAssetTransfers [{}]", "main", { min: 120, max: 120, assumed: false })
  check("# @network main\nalchemy_getAssetTransfers [{}]", "main", { min: 120, max: 120, assumed: false })
  check("# @network main\neth_sendUserOperation [{}]", "main", { assumed: false }, true)
  check("# @network local\nanvil_setBalance []", "local", { min: 80, max: 80, assumed: true }, true)
  check("hardhat_mine []", "local", { assumed: true }, true)
  check("evm_increaseTime [1]", "local", { assumed: true }, true)
  check("anvil_nodeInfo []", "local", { assumed: true })
  check("# @network solana\ngetAsset [{}]", "solana", { assumed: false })
  check("# @network starknet\nstarknet_estimateFee [{}]", "starknet", { assumed: false })
})

describe("a method that nobody knows", () => {
  const check = (text: string, said: RegExp, fix?: string) =>
    it(text.replace("\n", " "), () => {
      const [first] = read(text).diagnostics
      expect(first).toMatchObject({ code: "A101", message: expect.stringMatching(said) as unknown })
      expect(first?.fix?.edits.map((edit) => edit.text)).toEqual([fix ?? "# @unchecked\n"])
    })
  check("# @network plain\nalchemy_getAssetTransfers [{}]", /^unknown method "alchemy_getAssetTransfers"; /)
  check("# @network embedded\nanvil_setBalance []", /^unknown method/)
  check("# @network plain\nevm_mine []", /^unknown method/)
  check("# @network main\nstarknet_traceTransaction []", /^unknown method/)
  check("# @network main\ngetAsset [{}]", /^unknown method/)
  check(
    "some_thing []",
    /^unknown method "some_thing"; (?:none is defined|expected one of (?:\w+, ){0,2}\w+(?: and \d+ more)?); a plugin/,
  )
  check("eth_thingThatNobodyHas []", /; expected one of eth_\w+, eth_\w+, eth_\w+ and \d+ more; a plugin/)
  check("eht_getLogs [{}]", /did you mean "eth_getLogs"/, "eth_getLogs")
  check("eth_getBalnce []", /did you mean "eth_getBalance"/, "eth_getBalance")
  check("getBalnce []", /did you mean "getBalance"/, "getBalance")
  check("starknet_getEvent []", /did you mean "starknet_getEvents"/, "starknet_getEvents")
  check("# @network main\ngetBalnce []", /^unknown method "getBalnce"; (?!did you mean)/)
  check("# @network solana\neth_getBalnce []", /^unknown method "eth_getBalnce"; (?!did you mean)/)
})
