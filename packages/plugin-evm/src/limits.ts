/** The limits of the service (§8), and those of `eth_getBlockRange`, which it does not state. */

/** Results of one `eth_getLogs`. */
export const maxLogs = 10_000

/** Addresses and topics of one `eth_getLogs`. */
export const maxLogParams = 5_000

/** Milliseconds one `eth_getLogs` may run. */
export const maxLogMillis = 10_000

/** Positions of topics in a filter. */
export const maxTopics = 4

/** Blocks of one `eth_getBlockRange`, as the nodes that offer it have it. */
export const maxBlocks = 1_000
