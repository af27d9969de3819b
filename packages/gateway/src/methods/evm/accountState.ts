/** What the state of a block says about accounts: balance, nonce, code, and several positions of storage at once. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json, type Method } from "@dotrpc/spec"
import { Result } from "effect"
import type { AccountHistory, AccountState } from "../../chain/AccountHistory.ts"
import { quantity } from "../../chain/internal/hex.ts"
import { type Fault, serverFault } from "../Fault.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { type BlockReference, type EvmService, stateNumberOf } from "./EvmService.ts"
import { fixedBytesFault } from "./nodeWords.ts"

/** A chain file has no code, and the data that created a contract is not run. */
const unknownCode = serverFault("missing trie node: the code of this contract is not known")

export const accountState = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const { history } = service
  const served = <Value>(
    method: Method<readonly [address: Evm.Address, block?: BlockReference], Value>,
    read: (state: AccountState, known: AccountHistory) => Result.Result<Value, Fault>,
    ofPending: (state: AccountState, address: string) => AccountState = (state) => state,
  ): ServedMethod =>
    serveMethod({
      method,
      network: service.network,
      needs: history,
      explain: (params) => fixedBytesFault(Json.isArray(params) ? params[0] : undefined, 0, "Address"),
      answer: ([address, block = "latest"]) =>
        Result.flatMap(stateNumberOf(service, block), (number) => {
          const known = history.get()
          const state = known.at(address, number)
          return read(block === "pending" ? ofPending(state, address) : state, known)
        }),
    })
  /** Transactions that wait to be included have used up nonces. */
  const afterPending = (state: AccountState, address: string): AccountState => {
    const waiting = service.chain().pendingBlock.transactions.filter(({ from }) => from === address.toLowerCase())
    return { ...state, nonce: state.nonce + waiting.length }
  }
  return [
    served(Evm.GetBalance, ({ balance }, { knowsBalances }) =>
      knowsBalances
        ? Result.succeed(quantity(balance))
        : Result.fail(serverFault("missing trie node: the balances of this chain are not known")),
    ),
    served(Evm.GetTransactionCount, ({ nonce }) => Result.succeed(quantity(nonce)), afterPending),
    serveMethod({
      method: Evm.GetStorageValues,
      network: service.network,
      answer: ([wanted, block = "latest"]) =>
        Result.map(stateNumberOf(service, block), (number) =>
          Object.fromEntries(
            Object.entries(wanted).map(([address, positions]) => [
              address,
              positions.map((position) => service.chain().storageAt(address, BigInt(position), number)),
            ]),
          ),
        ),
    }),
    served(Evm.GetCode, ({ code }) => (code === undefined ? Result.fail(unknownCode) : Result.succeed(code))),
  ]
}
