import { type Json, Table } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { L2Events } from "../src/index.ts"

const event = {
  block_hash: "0x1",
  block_number: 800_123,
  data: ["0x1", "0x2", "0x0"],
  from_address: "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
  keys: ["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9", "0x5"],
  transaction_hash: "0x5d1f1a3c0d9b6e1f1a3c0d9b6e1f1a3c0d9b6e1f1a3c0d9b6e1f1a3c0d9b6e1",
}
const pending = { data: [], from_address: "0x4", keys: [], transaction_hash: "0x5" }

const render = (page: Json.JsonObject, limit = 100) => L2Events.GetEvents.render(page, limit)

const checkSummary = (page: Json.JsonObject, expected: string) =>
  it(`sums up as ${expected}`, () => expect(Table.summarize(render(page))).toBe(expected))

describe("events as rows", () => {
  it("shorten hashes and count the data", () =>
    expect(render({ events: [event, pending] }).rows).toEqual([
      ["800123", "0x49d365…004dc7", "Transfer", "3", "0x5d1f1a…d9b6e1"],
      ["pending", "0x4", "", "0", "0x5"],
    ]))
  it("name their columns", () =>
    expect(render({ events: [] }).columns.map((column) => column.name)).toEqual([
      "block",
      "from",
      "event",
      "data",
      "transaction",
    ]))
  it("show the key of an event whose name is not common", () => {
    const key = "0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    expect(render({ events: [{ ...event, keys: [key] }] }).rows[0]?.[2]).toBe("0x012345…abcdef")
  })
  it("link to the network's explorer, a pending one without its block", () =>
    expect(
      L2Events.GetEvents.render({ events: [event, pending] }, 2, { network: { explorer: "https://scan.example" } })
        .links,
    ).toEqual([
      [
        "https://scan.example/block/800123",
        `https://scan.example/contract/${event.from_address}`,
        undefined,
        undefined,
        `https://scan.example/tx/${event.transaction_hash}`,
      ],
      [undefined, "https://scan.example/contract/0x4", undefined, undefined, "https://scan.example/tx/0x5"],
    ]))
  it("fill the limit, and all are counted", () => {
    const table = render({ events: [event, event, event] }, 2)
    expect([table.rows.length, table.total]).toEqual([2, 3])
  })
})

describe("the summary", () => {
  checkSummary({ events: [] }, "0 events")
  checkSummary({ events: [event] }, "1 event")
  checkSummary({ events: [event, event], continuation_token: "1" }, "2 events · more pages")
  checkSummary({ events: [], continuation_token: "1" }, "0 events · more pages")
})

it("the label of a contract stands beside it", () => {
  const label = (address: string) => ({ [event.from_address]: "Ether" })[address]
  expect(L2Events.GetEvents.render({ events: [event] }, 9, { label }).rows[0]?.[1]).toBe("Ether (0x49d365…004dc7)")
})
