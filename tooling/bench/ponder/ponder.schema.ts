/** A row per log. */
import { onchainTable } from "ponder"

export const transfer = onchainTable("transfer", (column) => ({
  id: column.text().primaryKey(),
  from: column.hex().notNull(),
  to: column.hex().notNull(),
  value: column.bigint().notNull(),
  block: column.bigint().notNull(),
  timestamp: column.bigint().notNull(),
  transaction: column.hex().notNull(),
  logIndex: column.integer().notNull(),
}))
