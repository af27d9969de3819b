/** `eth_getTransactionReceipt` over a chain (service §4.4): null for what is unknown or pending. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { type EvmService, withinHistory } from "./EvmService.ts"
import { argumentsFault, fixedBytesFault } from "./nodeWords.ts"

export const getTransactionReceipt = (service: EvmService): ServedMethod =>
  serveMethod({
    method: Evm.GetTransactionReceipt,
    network: service.network,
    explain: (params) =>
      argumentsFault(params, 1) ?? fixedBytesFault(Json.isArray(params) ? params[0] : undefined, 0, "Hash"),
    answer: ([hash]) => {
      const chain = service.chain()
      const receipt = chain.receiptByHash(hash)
      if (receipt === undefined) return Result.succeed(null)
      return Result.map(withinHistory(service.network, chain.head, Number(receipt.blockNumber)), () => receipt)
    },
  })
