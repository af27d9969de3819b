import { createPublicClient } from "viem"
import { mainnet } from "viem/chains"
import { dotrpcTransport } from "../src/index.ts"

/** All approvals of a token, in as few charged calls as possible, for at most 10,000 credits. */
export const approvals = async (url: string, token: `0x${string}`) => {
  const transport = dotrpcTransport({ network: url, budget: { perSecond: 500 } }, { maxCredits: 10_000 })
  const client = createPublicClient({ chain: mainnet, transport })
  try {
    const logs = await client.getContractEvents({
      address: token,
      abi: [
        {
          type: "event",
          name: "Approval",
          inputs: [
            { name: "owner", type: "address", indexed: true },
            { name: "spender", type: "address", indexed: true },
            { name: "value", type: "uint256" },
          ],
        },
      ],
      fromBlock: 0n,
      toBlock: "finalized",
    })
    return `${logs.length} approvals in ${transport.credits.calls} calls for ${transport.credits.spent} credits`
  } finally {
    await transport.close()
  }
}
