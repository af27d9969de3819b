/** Events as rows for a person. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import type { EmittedEvent, EventPage } from "../EventPage.ts"
import { selector } from "../Selector.ts"

export const render = (page: EventPage, limit: number, context: RenderContext): Table.Table => {
  const shown = page.events.slice(0, limit)
  const table: Table.Table = {
    noun: ["event", "events"],
    total: page.events.length,
    columns: [
      { name: "block", align: "right" },
      { name: "from" },
      { name: "event", decoded: true },
      { name: "data", align: "right" },
      { name: "transaction" },
    ],
    rows: shown.map((event) => row(event, Table.shortening(context))),
    links: context.network?.explorer === undefined ? undefined : shown.map((event) => links(event, context)),
  }
  return hasMore(page) ? { ...table, headline: `${Table.summarize(table)} · more pages` } : table
}

const row = (event: EmittedEvent, shorten: typeof Table.shorten): ReadonlyArray<string> => [
  event.block_number === undefined || event.block_number === null ? "pending" : String(event.block_number),
  shorten(event.from_address),
  showKey(event.keys[0], shorten),
  String(event.data.length),
  shorten(event.transaction_hash),
]

/** The first key is the selector of the event's name; names that many contracts use are known. */
export const showKey = (key: string | undefined, shorten = Table.shorten): string => {
  if (key === undefined) return ""
  names ??= new Map(commonNames.map((name) => [BigInt(selector(name)), name]))
  return names.get(BigInt(key)) ?? shorten(key)
}

let names: ReadonlyMap<bigint, string> | undefined

const commonNames = [
  "Approval",
  "ApprovalForAll",
  "Deposit",
  "OwnershipTransferred",
  "Swap",
  "Transfer",
  "TransferBatch",
  "TransferSingle",
  "Upgraded",
  "Withdraw",
  "Withdrawal",
]

const links = (event: EmittedEvent, { network }: RenderContext): ReadonlyArray<string | undefined> => [
  event.block_number === undefined || event.block_number === null
    ? undefined
    : explorerPage(network, "block", String(event.block_number)),
  explorerPage(network, "contract", event.from_address),
  undefined,
  undefined,
  explorerPage(network, "tx", event.transaction_hash),
]

const hasMore = (page: EventPage): boolean => typeof page.continuation_token === "string"
