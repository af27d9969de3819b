/** Field elements of a layer-2 network, as `0x` strings of up to 252 bits. */

/** The one way to write a felt: lower-case, without leading zeros. Two felts are the same number when this is equal. */
export const canonicalFelt = (felt: string): string => {
  const digits = felt.slice(2).replace(/^0+/, "").toLowerCase()
  return digits === "" ? "0x0" : `0x${digits}`
}
