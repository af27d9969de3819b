/** The accounts that a run read, as they are before or after it. */
import { bytesToHex, createAddressFromString } from "@ethereumjs/util"
import type { Hex } from "../chain/ChainJson.ts"
import type { ChainState } from "./ChainState.ts"
import type { TouchedAccount } from "./Tracing.ts"

/** Reads the accounts and positions that `touched` names. */
export const touchedAccounts = async (
  state: ChainState,
  touched: ReadonlyMap<Hex, ReadonlySet<Hex>>,
): Promise<ReadonlyMap<Hex, TouchedAccount>> => {
  const found = new Map<Hex, TouchedAccount>()
  for (const [name, slots] of touched) {
    const address = createAddressFromString(name)
    const account = await state.getAccount(address)
    const storage = new Map<Hex, Hex>()
    for (const slot of slots) storage.set(slot, await state.wordAt(address, slot))
    found.set(name, {
      balance: account?.balance ?? 0n,
      nonce: account?.nonce ?? 0n,
      code: bytesToHex(await state.getCode(address)),
      storage,
    })
  }
  return found
}
