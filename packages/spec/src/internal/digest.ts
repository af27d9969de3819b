/**
 * A digest of a text, which is kept instead of it: 64 bits, so that of a million texts hardly two have the same one. It is
 * easy to make two texts with the same one on purpose.
 */
export const digestOf = (text: string): string => {
  let [high, low] = [0xdead_beef, 0x41c6_ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x9e37_79b1)
    low = Math.imul(low ^ code, 0x5f35_6495)
  }
  const [mixedHigh, mixedLow] = [mixed(high, low), mixed(low, high)]
  return String.fromCharCode(mixedHigh >>> 16, mixedHigh & 0xffff, mixedLow >>> 16, mixedLow & 0xffff)
}

const mixed = (own: number, other: number): number =>
  Math.imul(own ^ (own >>> 16), 0x85eb_ca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2_ae35)
