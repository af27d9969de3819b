/**
 * The memory that a Zstandard frame (RFC 8878) requires before anything of it is unpacked. A decoder allocates the
 * window that the header names, which ten bytes can make a gigabyte.
 */

/** Throws a `RangeError` unless the bytes are one frame whose window and content are no larger than these. Encoders write windows larger than what they compress. */
export const expectAccount = (
  bytes: Uint8Array,
  largest: { readonly window: number; readonly content: number },
): void => {
  const { content, start, window } = readHeader(bytes)
  if (window > windowFor(largest.window))
    throw new RangeError(`a window of ${window} bytes, more than any account needs`)
  if (content !== undefined && content > largest.content) throw new RangeError(tooLarge(largest.content))
  // Another frame would have a window of its own.
  if (endOfBlocks(bytes, start) < bytes.length - checksumBytes) throw new RangeError("more than one frame")
}

export const tooLarge = (largest: number): string => `more than ${largest} bytes, the most that are unpacked`

interface Header {
  readonly window: number
  readonly content: number | undefined
  /** Where its blocks begin. */
  readonly start: number
}

const readHeader = (bytes: Uint8Array): Header => {
  if (numberAt(bytes, 0, 4) !== magic) throw new RangeError("not a Zstandard frame")
  const descriptor = byteAt(bytes, 4)
  const isSingle = (descriptor & 0x20) !== 0
  const windowBytes = isSingle ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const contentBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const contentAt = 5 + windowBytes + dictionaryBytes
  const written = numberAt(bytes, contentAt, contentBytes)
  const content = contentBytes === 0 ? undefined : contentBytes === 2 ? written + 256 : written
  const power = 2 ** (10 + (byteAt(bytes, 5) >> 3))
  const window = isSingle ? (content ?? 0) : power + (power / 8) * (byteAt(bytes, 5) & 7)
  return { window, content, start: contentAt + contentBytes }
}

/** Where the last block ends, or the bytes do. */
const endOfBlocks = (bytes: Uint8Array, start: number): number => {
  let at = start
  while (at + 3 <= bytes.length) {
    const block = numberAt(bytes, at, 3)
    const isRepeated = ((block >> 1) & 3) === 1
    at += 3 + (isRepeated ? 1 : block >> 3)
    if ((block & 1) === 1) return at
  }
  return bytes.length
}

/** A window is a power of two, or close to one. */
const windowFor = (size: number): number => 2 ** Math.ceil(Math.log2(size))

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

const numberAt = (bytes: Uint8Array, at: number, length: number): number => {
  let number = 0
  for (let index = length - 1; index >= 0; index--) number = number * 256 + byteAt(bytes, at + index)
  return number
}

const magic = 0xfd2fb528

const checksumBytes = 4
