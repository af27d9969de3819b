/** What ponder reads: one event of one contract, in the range that the other programs read. */
import { createConfig } from "ponder"
import { parseAbi } from "viem"

const { DATABASE_URL, REPLAY_LAST, REPLAY_LISTED, REPLAY_URL } = process.env

export default createConfig({
  database: { kind: "postgres", connectionString: DATABASE_URL },
  chains: {
    // It has a rate for each endpoint of the list, 20 calls a second to begin with, and no option for it.
    replayed: { id: 1, rpc: Array.from({ length: Number(REPLAY_LISTED) }, () => REPLAY_URL), pollingInterval: 1_000 },
  },
  contracts: {
    Token: {
      chain: "replayed",
      abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
      address: "0xabababababababababababababababababababab",
      startBlock: 0,
      endBlock: Number(REPLAY_LAST),
    },
  },
})
