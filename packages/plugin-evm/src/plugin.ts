/** The EVM family as one value. */
import { definePlugin } from "@dotrpc/spec"
import { abiReader } from "./abi/AbiReader.ts"
import { decodeFunction } from "./functions/decode.ts"
import { eventFunction } from "./functions/event.ts"
import { elementFunction, fieldFunction } from "./functions/inside.ts"
import { keyFunction } from "./functions/mappingKey.ts"
import { slotFunction } from "./functions/slot.ts"
import { unitsFunction } from "./functions/units.ts"
import { GetBlockRange } from "./methods/getBlockRange.ts"
import { GetLogs } from "./methods/getLogs.ts"
import { GetStorageAt } from "./methods/getStorageAt.ts"
import { GetTransactionReceipt } from "./methods/getTransactionReceipt.ts"
import { networks } from "./networks.ts"

/** The plugin `evm`: storage, blocks, logs and receipts of EVM networks (service §4.1 to §4.4). */
export const plugin = definePlugin({
  id: "evm",
  title: "EVM",
  docs: "Storage, block ranges, logs and receipts of networks with an Ethereum Virtual Machine. Quantities are hex with `0x`; the functions `event`, `slot`, `element`, `field` and `units` write the topics, positions and amounts that a request needs, and `decode` reads a log.",
  methods: [GetStorageAt, GetBlockRange, GetLogs, GetTransactionReceipt],
  functions: [eventFunction, decodeFunction, slotFunction, keyFunction, elementFunction, fieldFunction, unitsFunction],
  networks,
  abi: abiReader,
})
