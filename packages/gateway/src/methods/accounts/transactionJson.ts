/** Transactions and blocks of the ledger as results have them, in the encoding that was asked for. */
import type { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { base58, base64 } from "@scure/base"
import { amountJson } from "../../accounts/instructions.ts"
import type { LedgerInstruction, LedgerTransaction } from "../../accounts/Ledger.ts"
import { headerOf } from "../../accounts/transactionBytes.ts"

type Encoding = TokenAccounts.TransactionEncoding | undefined

export const encodeTransaction = (
  transaction: LedgerTransaction,
  encoding: Encoding,
): TokenAccounts.EncodedTransaction => {
  const { bytes, instructions, keys, recentBlockhash, signatures } = transaction
  switch (encoding) {
    case "base64":
      return [base64.encode(bytes), encoding]
    case "base58":
      return [base58.encode(bytes), encoding]
    case "jsonParsed":
      return {
        signatures,
        message: {
          accountKeys: keys.map(({ pubkey, signer, writable }) => ({
            pubkey,
            signer,
            writable,
            source: "transaction",
          })),
          recentBlockhash,
          instructions: instructions.map((instruction) => parsedInstruction(transaction, instruction)),
        },
      }
    default:
      return {
        signatures,
        message: {
          header: headerOf(keys),
          accountKeys: keys.map(({ pubkey }) => pubkey),
          recentBlockhash,
          instructions: instructions.map(({ accounts, data, programIdIndex }) => ({
            programIdIndex,
            accounts,
            data: base58.encode(data),
            stackHeight: 1,
          })),
        },
      }
  }
}

const parsedInstruction = ({ keys }: LedgerTransaction, { parsed, program, programIdIndex }: LedgerInstruction) => ({
  program,
  programId: keys[programIdIndex]?.pubkey ?? "",
  parsed,
  stackHeight: 1,
})

/** The keys alone, as in a block with `transactionDetails` `accounts`. */
export const encodeAccounts = ({ keys, signatures }: LedgerTransaction): TokenAccounts.EncodedTransaction => ({
  signatures,
  accountKeys: keys.map(({ pubkey, signer, writable }) => ({ pubkey, signer, writable, source: "transaction" })),
})

/** What a transaction did. */
export const metaOf = (transaction: LedgerTransaction): TokenAccounts.TransactionMeta => {
  const { after, before, err, fee, instructions, logs, tokens } = transaction
  const balances = (list: LedgerTransaction["tokens"], amount: "before" | "after") =>
    list.map((token) => ({
      accountIndex: token.accountIndex,
      mint: token.mint,
      owner: token.owner,
      programId: token.programId,
      uiTokenAmount: amountJson(token[amount], token.decimals),
    }))
  return {
    err: err as TokenAccounts.TransactionError | null,
    fee,
    preBalances: before,
    postBalances: after,
    preTokenBalances: balances(
      tokens.filter(({ isNew }) => !isNew),
      "before",
    ),
    postTokenBalances: balances(tokens, "after"),
    innerInstructions: [],
    logMessages: logs,
    loadedAddresses: { writable: [], readonly: [] },
    rewards: [],
    computeUnitsConsumed: instructions.length * UNITS_PER_INSTRUCTION,
  }
}

/** About what a token program uses. */
const UNITS_PER_INSTRUCTION = 6_200
