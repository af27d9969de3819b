/** The time of its block, where a node sends it with a log. */

/** Nodes agree on neither the name's meaning nor its type, so anything else is left out. */
export const secondsOf = (log: object): bigint | undefined => {
  const time = "blockTimestamp" in log ? log.blockTimestamp : undefined
  return typeof time === "string" && /^0x[\da-f]{1,16}$/i.test(time) ? BigInt(time) : undefined
}
