/** `getSignaturesForAddress`, `getTransaction` and `getBlock` over the ledger of an account store. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Json, type Network } from "@dotrpc/spec"
import { Result } from "effect"
import type { AccountStore } from "../../accounts/AccountStore.ts"
import type { LedgerTransaction } from "../../accounts/Ledger.ts"
import { type Fault, invalidParams } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { blockAt } from "./blockAt.ts"
import { keyParamsFault, withoutNullConfig } from "./nodeWords.ts"
import { readingOf } from "./reading.ts"
import { encodeAccounts, encodeTransaction, metaOf } from "./transactionJson.ts"

export const transactionReads = (network: Network, store: () => AccountStore): ReadonlyArray<ServedMethod> => [
  serveMethod({
    method: TokenAccounts.GetSignaturesForAddress,
    network,
    ignore: withoutNullConfig(1),
    explain: explainSignatures,
    answer: ([address, config = {}]) =>
      Result.map(readingOf(store(), config), ({ accounts, slot }) => {
        const all = accounts.ledger.transactionsOf(address).filter((transaction) => transaction.slot <= slot)
        const start = config.before === undefined ? 0 : 1 + indexIn(all, config.before)
        const end = config.until === undefined ? -1 : indexIn(all, config.until)
        const page = all.slice(start, end === -1 ? undefined : end).slice(0, Number(config.limit ?? MOST_SIGNATURES))
        return page.map((transaction) => ({
          signature: transaction.signatures[0] ?? "",
          slot: transaction.slot,
          err: metaOf(transaction).err ?? null,
          memo: transaction.memo,
          blockTime: accounts.ledger.block(transaction.slot)?.time ?? null,
          confirmationStatus: transaction.slot <= accounts.slot("finalized") ? "finalized" : "confirmed",
        }))
      }),
  }),
  serveMethod({
    method: TokenAccounts.GetTransaction,
    network,
    ignore: withoutNullConfig(1),
    answer: ([signature, config = {}]) => {
      const accounts = store()
      const transaction = accounts.ledger.transaction(signature)
      const { commitment = "finalized", encoding } = config
      if (transaction === undefined || transaction.slot > accounts.slot(commitment)) return Result.succeed(null)
      return Result.succeed({
        slot: transaction.slot,
        blockTime: accounts.ledger.block(transaction.slot)?.time ?? null,
        transaction: encodeTransaction(transaction, encoding),
        meta: metaOf(transaction),
        ...versionIn(config),
      })
    },
  }),
  serveMethod({
    method: TokenAccounts.GetBlock,
    network,
    ignore: withoutNullConfig(1),
    answer: ([slot, config = {}]) => {
      const { commitment = "finalized", encoding, rewards = true, transactionDetails = "full" } = config
      return Result.map(blockAt(store(), slot, commitment), (block) => ({
        blockhash: block.blockhash,
        previousBlockhash: block.previousBlockhash,
        parentSlot: block.parentSlot,
        blockHeight: block.height,
        blockTime: block.time,
        ...(transactionDetails === "signatures"
          ? { signatures: block.transactions.map(({ signatures }) => signatures[0] ?? "") }
          : {}),
        ...(transactionDetails === "full" || transactionDetails === "accounts"
          ? {
              transactions: block.transactions.map((transaction) => ({
                transaction:
                  transactionDetails === "full"
                    ? encodeTransaction(transaction, encoding)
                    : encodeAccounts(transaction),
                meta: metaOf(transaction),
                ...versionIn(config),
              })),
            }
          : {}),
        ...(rewards ? { rewards: [] } : {}),
      }))
    },
  }),
]

/** A page holds no more, and as many when the limit is not given. */
const MOST_SIGNATURES = 1_000

/** The place of a signature; at the end where the address has no such transaction, as if it were older than all. */
const indexIn = (all: ReadonlyArray<LedgerTransaction>, signature: string): number => {
  const index = all.findIndex(({ signatures }) => signatures[0] === signature)
  return index === -1 ? all.length : index
}

/** The version is part of a result when the caller knows versions. */
const versionIn = (config: TokenAccounts.TransactionConfig) =>
  config.maxSupportedTransactionVersion === undefined ? {} : { version: "legacy" as const }

const explainSignatures = (params: Json.Json): Fault | undefined => {
  const [, config] = Json.isArray(params) ? params : []
  if (Json.isObject(config) && config.commitment === "processed")
    return invalidParams("Method does not support commitment below `confirmed`")
  return keyParamsFault(1)(params)
}
