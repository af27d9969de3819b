/** When the receipts of a block cost less than receipts by themselves, by the sheets of providers. */
import { Evm } from "@dotrpc/plugin-evm"
import { sheetOf } from "@dotrpc/prices"
import { defineNetwork, type NetworkDefinition, offersWhole, wholeSaves } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"

const node = "https://node.example"
const provider = (id: string): Partial<NetworkDefinition> => ({ prices: sheetOf(id), chainId: 1 })

/** Whether the network is known to have the method, and the fewest receipts for which the block costs less; `undefined` for 1,000. */
const check = (
  name: string,
  overrides: Partial<NetworkDefinition>,
  expected: { readonly offers: boolean | undefined; readonly from: number | undefined },
) =>
  it(name, () => {
    const network = defineNetwork({ id: "n", plugin: "evm", url: node, ...overrides })
    const part = Evm.GetTransactionReceipt.blockPart
    const from = Array.from({ length: 1_000 }, (_, calls) => calls).find((calls) =>
      wholeSaves(Evm.GetTransactionReceipt, network, calls),
    )
    expect({ offers: part && offersWhole(network, part), from }).toEqual(expected)
  })

describe("receipts become those of their block", () => {
  check("from two on at one price", provider("alchemy"), { offers: true, from: 2 })
  check("from two on at one price in another unit", provider("coinbase-cdp"), { offers: true, from: 2 })
  check("from thirteen on where the block costs much more", provider("infura"), { offers: true, from: 13 })
  check("from three on where an old block may cost twice as much", provider("chainstack"), { offers: true, from: 3 })
  check("from two on where an old block may cost four times as much", provider("moralis"), { offers: true, from: 2 })
  check("hardly ever where a long reply costs more", provider("blockpi"), { offers: true, from: 684 })
  check("from three on where nobody knows of the method", provider("quicknode"), { offers: undefined, from: 3 })
  check("from 26 on by assumed prices", {}, { offers: undefined, from: 26 })
  check(
    "from 13 on by assumed prices, in the gateway inside this process",
    { url: "embedded:evm" },
    { offers: true, from: 13 },
  )
  check(
    "nowhere where the network says that it has no such method",
    { methods: { eth_getBlockReceipts: false } },
    { offers: false, from: 26 },
  )
})
