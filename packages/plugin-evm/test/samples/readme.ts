import { Evm } from "@dotrpc/plugin-evm"
import { Effect } from "effect"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const holder = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"

/** How much of a token one address has received since block 100, and how much it holds now. */
export const received = Effect.gen(function* () {
  const transfers = yield* Evm.getLogs({
    address: token,
    fromBlock: Evm.hex(100),
    toBlock: "latest",
    topics: [Evm.event("Transfer(address,address,uint256)"), null, `0x${"0".repeat(24)}${holder.slice(2)}`],
  })
  const amount = transfers.reduce((sum, transfer) => sum + Evm.quantity(transfer.data), 0n)
  const balance = Evm.quantity(yield* Evm.getStorageAt(token, Evm.slot(0, holder)))
  return { amount, balance }
})
