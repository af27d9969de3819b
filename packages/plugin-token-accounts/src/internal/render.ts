/** Token accounts as rows for a person. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import type { AccountList, TokenAccountEntry, TokenAmount } from "../AccountList.ts"
import type { RawAmount } from "../DecodeAccount.ts"
import { decodeEntry } from "../DecodeEntry.ts"
import { DecodeError } from "../DecodeError.ts"

export const render = (list: AccountList, limit: number, { network }: RenderContext): Table.Table => ({
  noun: ["token account", "token accounts"],
  total: list.value.length,
  columns: [
    { name: "account" },
    { name: "mint" },
    { name: "owner" },
    { name: "amount", align: "right" },
    { name: "delegated", align: "right" },
    { name: "state" },
  ],
  rows: list.value.slice(0, limit).map(row),
  ...(network?.explorer === undefined
    ? {}
    : { links: list.value.slice(0, limit).map((entry) => [explorerPage(network, "address", entry.pubkey)]) }),
})

const row = (entry: TokenAccountEntry): ReadonlyArray<string> => {
  try {
    const { info } = decodeEntry(entry).parsed
    return [
      entry.pubkey,
      Table.shorten(info.mint),
      Table.shorten(info.owner),
      showAmount(info.tokenAmount),
      showAmount(info.delegatedAmount),
      info.state,
    ]
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return [entry.pubkey, "", "", "", "", error.message]
  }
}

/** An amount whose decimals are unknown is marked, so that 1500000 is not read as whole tokens. */
const showAmount = (amount: TokenAmount | RawAmount | undefined): string => {
  if (amount === undefined) return ""
  return "uiAmountString" in amount ? amount.uiAmountString : `${amount.amount} raw`
}
