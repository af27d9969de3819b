/** `l2_getEvents` as a method value (service §4.6). */
import { type BlockRef, blockRange, defineMethod, type Method, Price, RpcReason } from "@dotrpc/spec"
import type { BlockParam } from "./BlockId.ts"
import { checkParams, EventParams } from "./EventFilter.ts"
import { type EmittedEvent, EventPage } from "./EventPage.ts"
import { classify } from "./internal/classify.ts"
import { docs } from "./internal/docs.ts"
import { render } from "./internal/render.ts"
import { selector } from "./Selector.ts"

/** Events of a layer-2 network, a page at a time. */
export const GetEvents: Method<EventParams, EventPage, EmittedEvent> = defineMethod({
  plugin: "l2-events",
  name: "l2_getEvents",
  word: "l2",
  summary: "Events of contracts, filtered by block, address and keys, a page at a time.",
  docs,
  params: EventParams,
  result: EventPage,
  price: Price.assumed(80),
  idempotent: true,
  examples: [
    {
      title: "The first hundred events",
      params: { filter: { from_block: { block_number: 0 }, to_block: "latest", chunk_size: 100 } },
    },
    {
      title: "Transfers of one contract in a range of blocks",
      params: {
        filter: {
          from_block: { block_number: 800_000 },
          to_block: { block_number: 800_100 },
          address: "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
          keys: [["0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"]],
          chunk_size: 1_000,
        },
      },
    },
    {
      title: "Any first key, one of two second keys",
      params: {
        filter: { from_block: "latest", to_block: "latest", keys: [[], ["0x1", "0x2"]], chunk_size: 100 },
      },
    },
  ],
  suggest: [
    {
      at: ["filter", "keys", 0, 0],
      values: () => ["Transfer", "Approval"].map((name) => ({ value: selector(name), label: name, detail: "ERC-20" })),
    },
    {
      at: ["filter", "chunk_size"],
      values: [
        { value: 100, detail: "short pages" },
        { value: 1_000, detail: "the most that every node answers" },
      ],
    },
  ],
  check: checkParams,
  classify,
  render,
  range: blockRange({
    // A page in the middle belongs to the range its token was given for.
    of: ({ filter }: EventParams) =>
      filter.continuation_token === undefined
        ? { from: refOf(filter.from_block ?? { block_number: 0 }), to: refOf(filter.to_block ?? "latest") }
        : undefined,
    narrow: ({ filter, ...rest }, from, to) => ({
      ...rest,
      filter: { ...filter, from_block: { block_number: from }, to_block: { block_number: to } },
    }),
    items: (page: EventPage) => page.events,
    join: (events) => ({ events }),
    blockOf: ({ block_hash, block_number }: EmittedEvent) =>
      block_number === undefined || block_number === null
        ? undefined
        : { number: Number(block_number), hash: block_hash ?? undefined },
  }),
  pages: {
    next: (params, page) => {
      const filter = nextFilter(params.filter, page)
      return filter === undefined ? undefined : { ...params, filter }
    },
    join: (pages) => ({ events: pages.flatMap((page) => page.events) }),
    restart: (reason, { filter: { continuation_token, ...filter }, ...rest }, block) => {
      if (continuation_token === undefined || RpcReason.serverCode(reason) !== lostToken) return undefined
      return { ...rest, filter: block === undefined ? filter : { ...filter, from_block: { block_number: block } } }
    },
  },
})

/** The server does not know the token, or no longer. */
const lostToken = 33

/** A block as scans know it; what is named by a hash has no number before it was read. */
const refOf = (block: BlockParam): BlockRef => {
  if (typeof block === "string") return block
  return block.block_number === undefined ? `hash ${block.block_hash ?? ""}` : Number(block.block_number)
}

/** The filter of the page after this one: the same filter with the page's token; `undefined` after the last page. */
const nextFilter = <Filter extends object>(
  filter: Filter,
  page: EventPage,
): (Filter & { readonly continuation_token: string }) | undefined =>
  typeof page.continuation_token === "string" ? { ...filter, continuation_token: page.continuation_token } : undefined
