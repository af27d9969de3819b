/** Hardhat's simulated chain, EDR, inside this process: an Ethereum node that shares no code with anvil. */
import { createHardhatRuntimeEnvironment } from "hardhat/hre"

export interface HardhatNode {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a node on a free port of this machine, with the chain id, the accounts and the first timestamp of anvil's. */
export const startHardhat = async (): Promise<HardhatNode> => {
  const { network } = await createHardhatRuntimeEnvironment({
    networks: {
      node: {
        type: "edr-simulated",
        chainType: "l1",
        chainId: 31_337,
        hardfork: "cancun",
        initialDate: new Date(1_700_000_000_000),
        // A reverted transaction is answered with its hash, as every other node does.
        throwOnTransactionFailures: false,
      },
    },
  })
  const server = await network.createServer("node", "127.0.0.1", 0)
  const { port } = await server.listen()
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
