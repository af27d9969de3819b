/** A chain that is read as far as it is asked for answers as the same chain in memory does. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { recordedChain, textOfChain } from "../../src/chain/RecordedChain.ts"
import { generateEntries, type LogFilter, memoryChain } from "../../src/index.ts"

const generated = generateEntries({ seed: 4, blocks: 80, logs: 700 })
// Gaps, as in a file of chosen blocks.
const entries = generated.entries.filter(({ block }) => Number(block.number) % 7 !== 3)
const { chainId, pendingBlock } = generated
const text = textOfChain({ chainId, entries, pendingBlock })
const inMemory = memoryChain(entries, { chainId, pendingBlock })

const logs = entries.flatMap(({ receipts }) => receipts.flatMap((receipt) => receipt.logs))
const someCase = (value: string) => fc.constantFrom(value, value.toUpperCase().replace("0X", "0x"))
const oneOf = (values: ReadonlyArray<string>) => fc.constantFrom(...new Set(values)).chain(someCase)
const unknown = `0x${"12".repeat(20)}`
const address = fc.oneof(oneOf(logs.map((log) => log.address)), fc.constant(unknown))
const topicAt = (position: number) =>
  fc.oneof(fc.constant(null), oneOf(logs.flatMap((log) => log.topics.slice(position, position + 1))))
const filter: fc.Arbitrary<LogFilter> = fc.record(
  {
    address: fc.oneof(address, fc.array(address, { maxLength: 3 }), fc.constant(null)),
    topics: fc.oneof(
      fc.constant(null),
      fc.tuple(fc.oneof(topicAt(0), fc.array(topicAt(0), { maxLength: 2 }))),
      fc.tuple(topicAt(0), topicAt(1)),
    ),
  },
  { requiredKeys: [] },
)
const number = fc.integer({ min: -2, max: 84 })

describe("a recorded chain answers as one in memory", () => {
  it("about logs", () =>
    fc.assert(
      fc.property(number, number, filter, (from, to, wanted) => {
        expect([...recordedChain(text).logs(from, to, wanted)]).toEqual([...inMemory.logs(from, to, wanted)])
      }),
    ))

  it("about blocks and receipts", () => {
    const recorded = recordedChain(text)
    for (let at = -1; at <= 81; at++) expect(recorded.blockByNumber(at)).toEqual(inMemory.blockByNumber(at))
    for (const { block, receipts } of entries) {
      expect(recorded.blockByHash(block.hash.toUpperCase().replace("0X", "0x"))).toEqual(block)
      for (const receipt of receipts) expect(recorded.receiptByHash(receipt.transactionHash)).toEqual(receipt)
    }
    expect(recorded.blockByHash(unknown)).toBeUndefined()
    expect(recorded.receiptByHash(unknown)).toBeUndefined()
  })

  it("about storage", () => {
    const recorded = recordedChain(text)
    const written = entries.flatMap(({ storage = {} }) =>
      Object.entries(storage).flatMap(([owner, slots]) =>
        Object.keys(slots).map((slot) => [owner, BigInt(slot)] as const),
      ),
    )
    expect(written.length).toBeGreaterThan(100)
    for (const [owner, slot] of written)
      for (const at of [0, 1, 40, 79])
        expect(recorded.storageAt(owner, slot, at)).toBe(inMemory.storageAt(owner, slot, at))
  })

  it("about its ends", () => {
    const { chainId: id, earliest, finalized, head, pendingBlock: next, safe } = recordedChain(text)
    expect({ id, earliest, finalized, head, next, safe }).toEqual({
      id: inMemory.chainId,
      earliest: inMemory.earliest,
      finalized: inMemory.finalized,
      head: inMemory.head,
      next: inMemory.pendingBlock,
      safe: inMemory.safe,
    })
  })
})

it("a log of a recorded chain is the same value as in its receipt", () => {
  const recorded = recordedChain(text)
  const [log] = recorded.logs(0, 80)
  expect(recorded.receiptByHash(log?.transactionHash ?? "")?.logs).toContain(log)
})

describe("a text that is not a recorded chain is refused", () => {
  it.each([
    ["nothing", ""],
    ["JSON of something else", "{}"],
    ["a chain without blocks", '{"blocks":[]}\n[]\n[]'],
    ["one that ends early", text.slice(0, text.lastIndexOf("\n"))],
  ])("%s", (_, other) => expect(() => recordedChain(other)).toThrow())
})
