/** A request for the logs of a thousand blocks, which a {@link RangeServer} answers in pieces. */
import { deepEqual } from "node:assert/strict"

import type { RangeServer } from "./RangeServer.ts"

export const longScan =
  '### Long\n# @network main\n# @name long\n# @all\n# @retry 0\neth_getLogs [{ "fromBlock": "0x0", "toBlock": "0x3e7" }]\n'

/** The balance is that of the window: the file of the user is shared with the flows before this one. */
export const configOf = ({ origin }: RangeServer): string =>
  JSON.stringify({ networks: { main: { plugin: "evm", url: `${origin}/rpc` } }, ledger: "memory" })

/** Nothing was asked for twice, and nothing left out: the logs are in one calm row. */
export const nothingWasReadAgain = ({ answered }: RangeServer): void => {
  deepEqual(
    answered.toSorted((left, right) => left - right),
    [...answered],
    "blocks were read again",
  )
}
