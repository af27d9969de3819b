/** A method as a plugin defines it, for tests. */
import { Schema } from "effect"
import { defineMethod, Price } from "@dotrpc/spec"

export const getStorageAt = defineMethod({
  plugin: "evm",
  name: "eth_getStorageAt",
  summary: "The value at a storage position.",
  docs: "Address, position, block.",
  params: Schema.Tuple([Schema.String, Schema.String, Schema.String]),
  result: Schema.String,
  price: Price.published(80),
  idempotent: true,
  examples: [],
  render: (value) => ({ total: 1, columns: [], rows: [], headline: value }),
})
