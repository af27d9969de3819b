import { runs } from "@dotrpc/vitest/depth"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { canonicalFelt } from "../../src/events/Felt.ts"
import {
  type EventFilter,
  type EventStore,
  generateEvents,
  memoryEvents,
  sampleL2Contracts,
  selectorOf,
  type StoredEvent,
} from "../../src/index.ts"

const store = generateEvents()
const start = { blockNumber: 0, index: 0 }
const all = [...store.events(start, store.pending)]
const TRANSFER = "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"

test("the selector of an event is its name's hash of 250 bits", () => {
  expect(selectorOf("Transfer")).toBe(TRANSFER)
  expect(selectorOf("Approval")).toBe("0x134692b230b9e1ffa39098904722134159652b09c5bc41d88d6698779d228ff")
})

describe("the generated network", () => {
  test("has 300 blocks, 2,500 events and a few pending ones, always the same", () => {
    expect([store.head, store.pending]).toEqual([299, 300])
    expect([...store.events(start, store.head)].length).toBe(2_500)
    expect([...store.events({ blockNumber: store.pending, index: 0 }, store.pending)].length).toBe(7)
    expect(store.blockHash(299)).toBe("0xa9d1bc45eef321e1fadefeb35e348b65bff8280f8f38719718f9fe217f95f0")
    expect([...generateEvents({ seed: 1 }).events(start, 300)]).toEqual(all)
    expect([...generateEvents({ seed: 2 }).events(start, 300)]).not.toEqual(all)
  })

  test("names the block of every event but the pending ones", () => {
    for (const { event, position } of store.events(start, store.head)) {
      expect(event.block_number).toBe(position.blockNumber)
      expect(event.block_hash).toBe(store.blockHash(position.blockNumber))
    }
    for (const { event } of store.events({ blockNumber: store.pending, index: 0 }, store.pending)) {
      expect(event).not.toHaveProperty("block_hash")
      expect(event).not.toHaveProperty("block_number")
    }
  })

  test("writes every felt in the canonical way and below the order of the field", () => {
    const order = 2n ** 251n + 17n * 2n ** 192n + 1n
    for (const { event } of all) {
      for (const felt of [event.from_address, event.transaction_hash, ...event.keys, ...event.data]) {
        expect(felt).toBe(canonicalFelt(felt))
        expect(BigInt(felt) < order).toBe(true)
      }
    }
  })

  test("has events of every contract, with one, two and three keys", () => {
    expect(new Set(all.map(({ event }) => event.from_address))).toEqual(new Set(Object.values(sampleL2Contracts)))
    expect(new Set(all.map(({ event }) => event.keys.length))).toEqual(new Set([1, 2, 3]))
  })

  test.each([
    [{ blocks: 0 }, "the number of blocks must be a whole number, 1 or more; got 0"],
    [{ events: 0.5 }, "the number of events must be a whole number, 0 or more; got 0.5"],
    [{ blocks: 1 }, "A chain of one block holds nothing: the genesis block has no transactions."],
  ])("%o is refused", (options, message) => {
    expect(() => generateEvents(options)).toThrow(new RangeError(message))
  })
})

describe("a query", () => {
  const someBlock = fc.integer({ min: -2, max: 303 })
  const somePosition = fc.record({ blockNumber: someBlock, index: fc.nat({ max: 30 }) })
  const someKey = fc.constantFrom(...new Set(all.slice(0, 60).flatMap(({ event }) => event.keys)))
  const someFilter: fc.Arbitrary<EventFilter> = fc.record(
    {
      address: fc.constantFrom(...Object.values(sampleL2Contracts)),
      keys: fc.array(fc.array(someKey, { maxLength: 3 }), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  )

  test("finds what reading every event finds, in the same order", () => {
    fc.assert(
      fc.property(somePosition, someBlock, someFilter, (from, toBlock, filter) => {
        expect([...store.events(from, toBlock, filter)]).toEqual(
          all.filter(({ event, position }) => {
            const isAfter =
              position.blockNumber > from.blockNumber ||
              (position.blockNumber === from.blockNumber && position.index >= from.index)
            return isAfter && position.blockNumber <= toBlock && matches(filter, event)
          }),
        )
      }),
      { numRuns: runs(300) },
    )
  })

  test("read page by page from the position of the first event not returned gives every event once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), someFilter, (size, filter) => {
        expect(readPages(store, size, filter)).toEqual(
          [...store.events(start, store.pending, filter)].map(({ event }) => event),
        )
      }),
      { numRuns: runs(40) },
    )
  })
})

describe("a filter", () => {
  const event: StoredEvent = { from_address: "0x4c1", keys: ["0x1", "0x2"], data: [], transaction_hash: "0x9" }
  const single = memoryEvents([{ hash: "0xb0", events: [event] }], [])

  test.each<[string, EventFilter, boolean]>([
    ["without conditions passes any event", {}, true],
    ["without keys passes any event", { keys: [] }, true],
    ["passes its address", { address: "0x4c1" }, true],
    ["compares addresses as numbers", { address: "0x0004C1" }, true],
    ["does not pass another address", { address: "0x4c2" }, false],
    ["passes one of several addresses", { address: ["0x4c2", "0x4c1"] }, true],
    ["does not pass other addresses", { address: ["0x4c2", "0x4c3"] }, false],
    ["passes a list without addresses", { address: [] }, true],
    ["passes the first key", { keys: [["0x1"]] }, true],
    ["compares keys as numbers", { keys: [["0x01"], ["0x0002"]] }, true],
    ["passes one of several keys", { keys: [["0x7", "0x1"]] }, true],
    ["does not pass other keys", { keys: [["0x7"]] }, false],
    ["depends on the position of keys", { keys: [["0x2"]] }, false],
    ["takes an empty list for any key", { keys: [[], ["0x2"]] }, true],
    ["asks every position", { keys: [["0x1"], ["0x1"]] }, false],
    ["asks for as many keys as it has positions", { keys: [["0x1"], ["0x2"], []] }, false],
  ])("%s", (_name, filter, expected) => {
    expect([...single.events(start, 0, filter)].length).toBe(expected ? 1 : 0)
  })
})

test("blocks are found by hash as a number, and unknown and pending ones are not", () => {
  const hash = store.blockHash(12) ?? ""
  expect(store.blockNumber(hash)).toBe(12)
  expect(store.blockNumber(`0x00${hash.slice(2).toUpperCase()}`)).toBe(12)
  expect(store.blockNumber("0x1")).toBeUndefined()
  expect(store.blockHash(store.pending)).toBeUndefined()
})

test("a network without blocks is refused", () => {
  expect(() => memoryEvents([], [])).toThrow(new RangeError("A network needs at least one block."))
})

test("canonical felts are equal exactly when the numbers are", () => {
  const digits = fc.stringMatching(/^[0-9a-fA-F]{1,63}$/).map((text) => `0x${text}`)
  fc.assert(
    fc.property(digits, digits, (left, right) => {
      expect(canonicalFelt(left) === canonicalFelt(right)).toBe(BigInt(left) === BigInt(right))
      expect(canonicalFelt(`0x000${left.slice(2).toUpperCase()}`)).toBe(`0x${BigInt(left).toString(16)}`)
    }),
  )
})

function readPages(events: EventStore, size: number, filter: EventFilter): ReadonlyArray<StoredEvent> {
  const read: Array<StoredEvent> = []
  let from: typeof start | undefined = start
  while (from !== undefined) {
    const page = [...events.events(from, events.pending, filter)].slice(0, size + 1)
    read.push(...page.slice(0, size).map(({ event }) => event))
    from = page[size]?.position
  }
  return read
}

function matches({ address, keys = [] }: EventFilter, event: StoredEvent): boolean {
  const addresses = [address ?? []].flat().map(BigInt)
  if (addresses.length > 0 && !addresses.includes(BigInt(event.from_address))) return false
  return (
    keys.length <= event.keys.length &&
    keys.every(
      (list, index) => list.length === 0 || list.some((key) => BigInt(key) === BigInt(event.keys[index] ?? -1)),
    )
  )
}
