/** What nodes say about a `Panic(uint256)` of the compiler. */

/** The reason of a panic, in the words of nodes: `"arithmetic underflow or overflow"` for `0x11n`. */
export const panicWords = (code: bigint): string => words.get(code) ?? `unknown panic code: 0x${code.toString(16)}`

const words: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "generic panic"],
  [0x01n, "assert(false)"],
  [0x11n, "arithmetic underflow or overflow"],
  [0x12n, "division or modulo by zero"],
  [0x21n, "enum overflow"],
  [0x22n, "invalid encoded storage byte array accessed"],
  [0x31n, "out-of-bounds array access; popping on an empty array"],
  [0x32n, "out-of-bounds access of an array or bytesN"],
  [0x41n, "out of memory"],
  [0x51n, "uninitialized function"],
])
