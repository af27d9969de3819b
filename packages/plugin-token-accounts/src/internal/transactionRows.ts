/** Transactions as rows for a person: whose balances changed. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { DecodeError } from "../DecodeError.ts"
import { decodeSignatures, decodeTransaction } from "../DecodeTransaction.ts"
import type { AccountKey, EncodedTransaction, TokenBalance, TransactionError, TransactionMeta } from "../Transaction.ts"
import { inSol, rawIn, showAmount, showChange, withBothSigns, withSign } from "./amounts.ts"

/** What both a transaction and one in a block have. */
interface Shown {
  readonly transaction: EncodedTransaction
  readonly meta?: TransactionMeta | null
}

/** A row for each key whose lamports or tokens changed. */
export const changeTable = (
  { meta, transaction }: Shown,
  limit: number,
  headline: ReadonlyArray<string>,
  context: RenderContext,
): Table.Table => {
  const { network } = context
  const keys = keysOf(transaction, meta)
  const accountOf = (index: number) => keys[index] ?? `account ${index}`
  const rows = meta === undefined || meta === null ? [] : changesOf(meta, Table.shortening(context))
  const shown = rows.slice(0, limit)
  return {
    noun: ["changed balance", "changed balances"],
    total: rows.length,
    columns: [
      { name: "account" },
      { name: "change", align: "right" },
      { name: "token" },
      { name: "after", align: "right" },
      { name: "owner" },
    ],
    rows: shown.map(({ index, owner, token, written }) => {
      const [change, after] = written()
      return [accountOf(index), change, token, after, owner]
    }),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ index }) => [explorerPage(network, "address", accountOf(index))]),
    headline: [...headline, ...(showFee(meta) === "" ? [] : [`fee ${showFee(meta)}`])].join(" · "),
  }
}

/** What was paid for a transaction, where the node says it. */
export const showFee = (meta: TransactionMeta | null | undefined): string =>
  meta?.fee === undefined || meta.fee === null ? "" : inSol(meta.fee)

/** `success`, or why not. */
export const showOutcome = (err: TransactionError | null | undefined): string => {
  if (err === null) return "success"
  if (err === undefined) return "outcome unknown"
  return `failed: ${typeof err === "string" ? err : Object.keys(err).join(", ")}`
}

/** The first signature, which names the transaction. */
export const signatureOf = (transaction: EncodedTransaction): string => {
  if (typeof transaction === "object" && "signatures" in transaction) return transaction.signatures[0] ?? ""
  try {
    return decodeSignatures(transaction)[0] ?? ""
  } catch (error) {
    if (error instanceof DecodeError) return ""
    throw error
  }
}

interface Change {
  /** Of the account among the keys. */
  readonly index: number
  readonly token: string
  readonly owner: string
  /** Amounts are written out only where they are shown: a server may list a million. */
  readonly written: () => readonly [change: string, after: string]
}

const changesOf = (meta: TransactionMeta, shorten: typeof Table.shorten): ReadonlyArray<Change> => [
  ...(meta.preBalances ?? []).flatMap((before, index): ReadonlyArray<Change> => {
    const after = BigInt(meta.postBalances?.[index] ?? before)
    const change = after - BigInt(before)
    if (change === 0n) return []
    return [{ index, token: "SOL", owner: "", written: () => [withBothSigns(change, 9), withSign(after, 9)] }]
  }),
  ...tokenChanges(meta.preTokenBalances ?? [], meta.postTokenBalances ?? [], shorten),
]

const tokenChanges = (
  before: ReadonlyArray<TokenBalance>,
  after: ReadonlyArray<TokenBalance>,
  shorten: typeof Table.shorten,
): ReadonlyArray<Change> => {
  const ofAccount = (list: ReadonlyArray<TokenBalance>) =>
    new Map(list.map((balance) => [String(balance.accountIndex), balance]))
  const [had, has] = [ofAccount(before), ofAccount(after)]
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((index): ReadonlyArray<Change> => {
    const known = has.get(index) ?? had.get(index)
    const [from, to] = [had.get(index)?.uiTokenAmount, has.get(index)?.uiTokenAmount]
    const [rawBefore, rawAfter] = [rawIn(from), rawIn(to)]
    // Text that is not an amount is none, and has not changed.
    if (known === undefined || rawBefore === undefined || rawAfter === undefined || rawBefore === rawAfter) return []
    return [
      {
        index: Number(index),
        token: shorten(known.mint),
        owner: typeof known.owner === "string" ? shorten(known.owner) : "",
        written: () => [showChange(from, to), to === undefined ? "0" : showAmount(to)],
      },
    ]
  })
}

/** The keys in the order of the balances: those of the message, then those that came from lookup tables. */
const keysOf = (transaction: EncodedTransaction, meta: TransactionMeta | null | undefined): ReadonlyArray<string> => {
  const { readonly, writable } = meta?.loadedAddresses ?? {}
  const own = ownKeys(transaction).map((key) => (typeof key === "string" ? key : key.pubkey))
  // With parsed keys, those from lookup tables are among them.
  return own.length >= (meta?.preBalances?.length ?? 0) ? own : [...own, ...(writable ?? []), ...(readonly ?? [])]
}

const ownKeys = (transaction: EncodedTransaction): ReadonlyArray<AccountKey> => {
  if (typeof transaction === "object" && "message" in transaction) return transaction.message.accountKeys
  if (typeof transaction === "object" && "accountKeys" in transaction) return transaction.accountKeys
  try {
    return decodeTransaction(transaction).message.accountKeys
  } catch (error) {
    if (error instanceof DecodeError) return []
    throw error
  }
}
