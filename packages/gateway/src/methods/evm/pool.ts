/** The transactions of the pending block, which are all that wait: none of them lacks one before it. */
import { Evm } from "@dotrpc/plugin-evm"
import { Result } from "effect"
import type { PendingTransaction } from "../../chain/ChainJson.ts"
import { quantity } from "../../chain/internal/hex.ts"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import type { EvmService } from "./EvmService.ts"

export const pool = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const { network } = service
  const waiting = () => service.chain().pendingBlock.transactions
  const bySender = <A extends object | string>(show: (transaction: PendingTransaction) => A) =>
    Object.fromEntries(
      [...new Set(waiting().map(({ from }) => from))].map(
        (sender) =>
          [
            sender,
            byNonce(
              waiting().filter(({ from }) => from === sender),
              show,
            ),
          ] as const,
      ),
    )
  return [
    serveMethod({
      method: Evm.TxpoolStatus,
      network,
      answer: () => Result.succeed({ pending: quantity(waiting().length), queued: "0x0" as const }),
    }),
    serveMethod({
      method: Evm.TxpoolContent,
      network,
      answer: () => Result.succeed({ pending: bySender(whole), queued: {} }),
    }),
    serveMethod({
      method: Evm.TxpoolContentFrom,
      network,
      answer: ([address]) => {
        const own = waiting().filter(({ from }) => from === address.toLowerCase())
        return Result.succeed({ pending: byNonce(own, whole), queued: {} })
      },
    }),
    serveMethod({
      method: Evm.TxpoolInspect,
      network,
      answer: () => Result.succeed({ pending: bySender(line), queued: {} }),
    }),
  ]
}

const byNonce = <A>(transactions: ReadonlyArray<PendingTransaction>, show: (transaction: PendingTransaction) => A) =>
  Object.fromEntries(transactions.map((transaction) => [String(Number(transaction.nonce)), show(transaction)] as const))

const whole = (transaction: PendingTransaction) => ({ ...transaction })

/** As nodes write it: the receiver, the wei, the gas and its price. */
const line = ({ gas, gasPrice, to, value }: PendingTransaction): string =>
  `${to ?? "contract creation"}: ${BigInt(value)} wei + ${BigInt(gas)} gas × ${BigInt(gasPrice)} wei`
