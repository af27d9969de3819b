/** `eth_getStorageAt` over a chain (service §4.1): always 32 bytes, zero where nothing was written. */
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import { Result } from "effect"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import { type EvmService, stateNumberOf } from "./EvmService.ts"
import { argumentsFault, blockFault, fixedBytesFault, storageKeyFault } from "./nodeWords.ts"

export const getStorageAt = (service: EvmService): ServedMethod =>
  serveMethod({
    method: Evm.GetStorageAt,
    network: service.network,
    explain: (params) => {
      const [address, key, block] = Json.isArray(params) ? params : []
      return (
        argumentsFault(params, 3) ??
        fixedBytesFault(address, 0, "Address") ??
        storageKeyFault(key) ??
        blockFault(block, 2, service.network)
      )
    },
    answer: ([address, position, block]) =>
      Result.map(stateNumberOf(service, block), (number) =>
        service.chain().storageAt(address, BigInt(position), number),
      ),
  })
