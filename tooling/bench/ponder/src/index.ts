/** Writes a row per log. */
import { ponder } from "ponder:registry"
import { transfer } from "ponder:schema"

ponder.on("Token:Transfer", async ({ context, event }) => {
  await context.db.insert(transfer).values({
    id: event.id,
    from: event.args.from,
    to: event.args.to,
    value: event.args.value,
    block: event.block.number,
    timestamp: event.block.timestamp,
    transaction: event.transaction.hash,
    logIndex: event.log.logIndex,
  })
})
