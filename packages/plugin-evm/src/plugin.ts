/** The EVM family as one value. */
import { definePlugin } from "@dotrpc/spec"
import { abiReader } from "./abi/AbiReader.ts"
import { addressForm } from "./checksum.ts"
import { namesReader } from "./contract/ens.ts"
import { unitsReader } from "./contract/readUnits.ts"
import { callFunction } from "./functions/call.ts"
import { decodeFunction } from "./functions/decode.ts"
import { eventFunction } from "./functions/event.ts"
import { elementFunction, fieldFunction } from "./functions/inside.ts"
import { keyFunction } from "./functions/mappingKey.ts"
import { slotFunction } from "./functions/slot.ts"
import { storageFunction } from "./functions/storage.ts"
import { unitsFunction } from "./functions/units.ts"
import { BlockAt } from "./methods/blockAt.ts"
import { methods } from "./methods/everyMethod.ts"
import { networks } from "./networks.ts"
import { pinning } from "./pinning.ts"
import { LogsSubscription, NewHeads, PendingTransactions, SyncingChanges } from "./subscriptions.ts"

/** The plugin `evm`: the methods of the service (§4.1 to §4.4), and those of Ethereum's execution API and its tracers. */
export const plugin = definePlugin({
  id: "evm",
  title: "EVM",
  docs: "Accounts, blocks, transactions, logs, calls, fees and traces of networks with an Ethereum Virtual Machine. Quantities are hex with `0x`; the functions `event`, `call`, `storage`, `slot`, `key`, `element`, `field` and `units` write the topics, calls, positions and amounts that a request needs, and `decode` reads a log.",
  methods,
  functions: [
    eventFunction,
    decodeFunction,
    callFunction,
    storageFunction,
    slotFunction,
    keyFunction,
    elementFunction,
    fieldFunction,
    unitsFunction,
  ],
  networks,
  subscriptions: [LogsSubscription, NewHeads, PendingTransactions, SyncingChanges],
  abi: abiReader,
  units: unitsReader,
  names: namesReader,
  address: addressForm,
  pinning,
  blockAt: BlockAt,
  localPrefixes: ["anvil_", "hardhat_", "evm_", "ganache_"],
})
