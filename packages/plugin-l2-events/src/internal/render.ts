/** Events as rows for a person. */
import { Table } from "@dotrpc/spec"
import type { EmittedEvent, EventPage } from "../EventPage.ts"

export const render = (page: EventPage, limit: number): Table.Table => {
  const table: Table.Table = {
    noun: ["event", "events"],
    total: page.events.length,
    columns: [
      { name: "block", align: "right" },
      { name: "from" },
      { name: "key" },
      { name: "data", align: "right" },
      { name: "transaction" },
    ],
    rows: page.events.slice(0, limit).map(row),
  }
  return hasMore(page) ? { ...table, headline: `${Table.summarize(table)} · more pages` } : table
}

const row = (event: EmittedEvent): ReadonlyArray<string> => [
  event.block_number === undefined || event.block_number === null ? "pending" : String(event.block_number),
  Table.shorten(event.from_address),
  Table.shorten(event.keys[0] ?? ""),
  String(event.data.length),
  Table.shorten(event.transaction_hash),
]

const hasMore = (page: EventPage): boolean => typeof page.continuation_token === "string"
