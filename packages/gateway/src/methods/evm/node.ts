/** What the service says about itself and its chain. It has no accounts and is connected to no other node. */
import { Evm } from "@dotrpc/plugin-evm"
import type { Method } from "@dotrpc/spec"
import { keccakHex, quantity } from "../../chain/internal/hex.ts"
import { Result } from "effect"
import { serveMethod, type ServedMethod } from "../ServedMethod.ts"
import type { EvmService } from "./EvmService.ts"

export const node = (service: EvmService): ReadonlyArray<ServedMethod> => {
  const served = <Value>(method: Method<readonly [], Value>, answer: () => Value): ServedMethod =>
    serveMethod({
      method,
      network: service.network,
      ignore: () => [],
      answer: () => Result.succeed(answer()),
    })
  return [
    served(Evm.EthBlockNumber, () => quantity(service.chain().head)),
    served(Evm.ChainId, () => quantity(service.chain().chainId)),
    served(Evm.Syncing, () => false),
    served(Evm.Accounts, () => []),
    served(Evm.NetVersion, () => String(service.chain().chainId)),
    served(Evm.NetListening, () => true),
    served(Evm.NetPeerCount, () => "0x0" as const),
    served(Evm.Web3ClientVersion, () => "dotrpc-gateway"),
    serveMethod({
      method: Evm.Web3Sha3,
      network: service.network,
      answer: ([data]) => Result.succeed(keccakHex(data)),
    }),
  ]
}
