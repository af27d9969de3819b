import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { Console, Effect } from "effect"

/** Prints what a delegate may spend, account by account, in the smallest unit of the token. */
export const spendable = Effect.fn("spendable")(function* (delegate: string, mint: string) {
  const { value } = yield* TokenAccounts.getTokenAccountsByDelegate(delegate, { mint }, { commitment: "confirmed" })
  for (const entry of value) {
    const { info } = TokenAccounts.decodeEntry(entry).parsed
    yield* Console.log(entry.pubkey, info.delegatedAmount?.amount ?? "0", info.state)
  }
})
