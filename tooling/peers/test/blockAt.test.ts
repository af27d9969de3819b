/** `evm_blockAt` on two nodes, beside a look at the time of every block. */
import { Evm } from "@dotrpc/plugin-evm"
import { createPublicClient, http } from "viem"
import { describe, expect, inject, it } from "vitest"
import type { PreparedNode } from "../src/setup.ts"
import { typedCalls } from "../src/TypedCalls.ts"

const blocksOf = async ({ url }: PreparedNode) => {
  const client = createPublicClient({ transport: http(url) })
  const head = await client.getBlockNumber({ cacheTime: 0 })
  const numbers = Array.from({ length: Number(head) + 1 }, (_, number) => BigInt(number))
  return Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
}

describe.each(inject("nodes"))("on $name, the block of a time", (node) => {
  const typed = typedCalls({ id: "node", plugin: "evm", url: node.url })
  it("is the last one that had come by then", async () => {
    const blocks = await blocksOf(node)
    // Other tests add blocks, maybe in the second of the newest one.
    const times = [...new Set(blocks.slice(1, -1).flatMap(({ timestamp }) => [timestamp, timestamp + 1n]))].filter(
      (time) => time < (blocks.at(-1)?.timestamp ?? 0n),
    )
    expect(times.length).toBeGreaterThan(5)
    for (const time of times) {
      const { hash, number } = blocks.findLast(({ timestamp }) => timestamp <= time) ?? {}
      const found = await typed(Evm.blockAt(Number(time)))
      expect([Evm.quantity(found.number), found.hash]).toEqual([number, hash])
    }
  })
})
