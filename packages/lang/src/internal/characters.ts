/** Character codes and classes that the scanner decides by. */
export const tab = 9
export const lineFeed = 10
export const carriageReturn = 13
export const space = 32
export const quote = 34
export const hash = 35
export const dollar = 36
export const star = 42
export const plus = 43
export const comma = 44
export const minus = 45
export const dot = 46
export const slash = 47
export const zero = 48
export const equals = 61
export const question = 63
export const at = 64
export const backslash = 92
export const closeBracket = 93
export const openBrace = 123
export const bar = 124
export const closeBrace = 125
export const byteOrderMark = 0xfeff

/** Classes of characters, as bits. */
export const nameStart = 1
export const namePart = 2
export const digit = 4
export const hexDigit = 8
export const methodPart = 16
export const directivePart = 32

const classes = new Uint8Array(128)

mark(/[A-Za-z_]/, nameStart | namePart | methodPart | directivePart)
mark(/\d/, namePart | digit | hexDigit | methodPart | directivePart)
mark(/[A-Fa-f]/, hexDigit)
mark(/[-./:]/, methodPart)
mark(/-/, directivePart)

/** Whether a character is of one of the classes. */
export function isOf(bits: number, code: number): boolean {
  return code < 128 && ((classes[code] ?? 0) & bits) !== 0
}

/** The end of the characters of a class that stand from `start` on. */
export function runEnd(bits: number, text: string, start: number): number {
  let end = start
  while (isOf(bits, codeAt(text, end))) end++
  return end
}

/** The code unit at an offset; 0, which no token needs, outside the text: reading there is slow in every engine. */
export const codeAt = (text: string, offset: number): number => (offset < text.length ? text.charCodeAt(offset) : 0)

export const isBlank = (code: number): boolean => code === space || code === tab
export const isLineBreak = (code: number): boolean => code === lineFeed || code === carriageReturn

function mark(characters: RegExp, bits: number): void {
  for (let code = 0; code < classes.length; code++) {
    if (characters.test(String.fromCharCode(code))) classes[code] = (classes[code] ?? 0) | bits
  }
}
