/** Where the chain is and what the node runs: slots, heights, epochs, health and version. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import type { Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { AccountStore } from "../../accounts/AccountStore.ts"
import type { LedgerBlock } from "../../accounts/Ledger.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { blockAt } from "./blockAt.ts"
import { configFault, withoutNullConfig } from "./nodeWords.ts"
import { API_VERSION, inContext, type Reading, readingOf, type When } from "./reading.ts"
import type { Json } from "@dotrpc/spec"

const SLOTS_PER_EPOCH = 432_000

/** A transaction may use a blockhash for so many blocks. */
const VALID_BLOCKS = 150

export const clusterReads = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => {
  const served = {
    network,
    ignore: withoutNullConfig(0),
    explain: (params: Json.Json) => configFault((params as ReadonlyArray<Json.Json>)[0]),
  }
  const reading = (config: When | undefined) => readingOf(store(), config)
  return [
    serveMethod({
      ...served,
      method: TokenAccounts.GetSlot,
      answer: ([config]) => Result.map(reading(config), ({ slot }) => slot),
    }),
    serveMethod({
      ...served,
      method: TokenAccounts.GetBlockHeight,
      answer: ([config]) => Result.map(reading(config), (found) => newestBlock(found).height),
    }),
    serveMethod({
      ...served,
      method: TokenAccounts.GetLatestBlockhash,
      answer: ([config]) =>
        Result.map(reading(config), (found) => {
          const { blockhash, height } = newestBlock(found)
          return inContext(found, { blockhash, lastValidBlockHeight: height + VALID_BLOCKS })
        }),
    }),
    serveMethod({
      ...served,
      method: TokenAccounts.GetEpochInfo,
      answer: ([config]) =>
        Result.map(reading(config), (found) => ({
          absoluteSlot: found.slot,
          blockHeight: newestBlock(found).height,
          epoch: Math.floor(found.slot / SLOTS_PER_EPOCH),
          slotIndex: found.slot % SLOTS_PER_EPOCH,
          slotsInEpoch: SLOTS_PER_EPOCH,
          transactionCount: found.accounts.ledger.transactionCount(found.slot),
        })),
    }),
    serveMethod({
      network,
      method: TokenAccounts.GetBlockTime,
      answer: ([slot]) => Result.map(blockAt(store(), slot, "processed"), ({ time }) => time),
    }),
    serveMethod({ network, method: TokenAccounts.GetHealth, answer: () => Result.succeed("ok") }),
    serveMethod({
      network,
      method: TokenAccounts.GetVersion,
      answer: () => Result.succeed({ "solana-core": API_VERSION, "feature-set": 3_640_012_085 }),
    }),
  ]
}

/** The newest block up to a slot; the slots of the commitments always have one. */
const newestBlock = ({ accounts, slot }: Reading): LedgerBlock => {
  const block = accounts.ledger.block(slot)
  if (block === undefined) throw new Error(`The ledger has no block in slot ${slot}.`)
  return block
}
