import { L2Events } from "@dotrpc/plugin-l2-events"
import { Console, Stream } from "effect"

/** Prints the transfers of one contract, page after page, and stops after a thousand. */
export const transfers = (address: string) =>
  L2Events.scanEvents({
    from_block: { block_number: 800_000 },
    to_block: { block_number: 800_100 },
    address,
    keys: [[L2Events.selector("Transfer")]],
    chunk_size: 1_000,
  }).pipe(
    Stream.take(1_000),
    Stream.runForEach((event) => Console.log(event.block_number ?? "pending", event.transaction_hash, event.data)),
  )
