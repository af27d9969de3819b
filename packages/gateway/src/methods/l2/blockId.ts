/** A block as params name it, found in an event store. */
import { Result } from "effect"
import type { EventStore } from "../../events/EventStore.ts"
import type { Fault } from "../Fault.ts"

/** A block as it stands in accepted params: exactly one member of an object is present. */
export type BlockId =
  | "latest"
  | "pending"
  | "pre_confirmed"
  | "l1_accepted"
  | { readonly block_hash?: string; readonly block_number?: number | bigint }

/** The number of a block. `accepted` is the newest that the layer below has accepted. */
export const resolveBlock = (
  store: Pick<EventStore, "head" | "pending" | "blockNumber">,
  accepted: number,
  block: BlockId,
): Result.Result<number, Fault> => {
  switch (block) {
    case "latest":
      return Result.succeed(store.head)
    case "pending":
    case "pre_confirmed":
      return Result.succeed(store.pending)
    case "l1_accepted":
      return Result.succeed(accepted)
  }
  const number =
    block.block_hash === undefined ? Number(block.block_number) : (store.blockNumber(block.block_hash) ?? Infinity)
  return number <= store.head ? Result.succeed(number) : Result.fail(blockNotFound)
}

export const blockNotFound: Fault = { code: 24, message: "Block not found" }
