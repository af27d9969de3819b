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

/**
 * Text with the marks between digits taken out again: `1,204.5 USDC` as `1204.5 USDC`. What stands in quotes is somebody's
 * own text and stays, and so do lists whose items are parted by a comma and a space.
 */
export const ungroupDigits = (text: string): string =>
  text.replace(quotedOrGrouped, (part) => (part.startsWith('"') ? part : part.replaceAll(",", "")))

/** Only an escape is a repetition of the group, which V8 keeps on a stack: texts may have millions of characters. */
const quotedOrGrouped = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\w|,\d)/g
