/** Digits in groups of three. */

/** `1204` as `1,204`, whatever the machine's locale. */
export const groupDigits = (value: number | bigint): string =>
  // From the right, three at a time; a fraction and an exponent stay as they are.
  String(value).replace(/\d+/, (digits) => {
    const first = digits.length % 3 || 3
    const groups = [digits.slice(0, first)]
    for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3))
    return groups.join(",")
  })
