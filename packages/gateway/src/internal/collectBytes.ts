/** A text that comes in pieces. */

export interface Collected {
  /** False when the pieces together are longer than the limit; then nothing is added. */
  readonly add: (piece: Uint8Array) => boolean
  /** All of it, read as UTF-8. */
  readonly text: () => string
}

/**
 * Collects pieces in one buffer that grows: anyone who sends them may send single bytes, and each piece that is kept by itself
 * would take a hundred.
 */
export const collectBytes = (limit: number): Collected => {
  let bytes = new Uint8Array(0)
  let size = 0
  return {
    add: (piece) => {
      const needed = size + piece.length
      if (needed > limit) return false
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, Math.min(2 * bytes.length, limit), 4_096))
        larger.set(bytes.subarray(0, size))
        bytes = larger
      }
      bytes.set(piece, size)
      size = needed
      return true
    },
    text: () => new TextDecoder().decode(bytes.subarray(0, size)),
  }
}
