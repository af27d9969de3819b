/**
 * Zstandard frames of stored blocks (RFC 8878): valid for every decoder, without compression. Account data is at most a
 * few hundred bytes, and an encoder that really compresses exists in no browser.
 */

const MAGIC = 0xfd2fb528
/** A block holds at most 128 KiB. */
const BLOCK_BYTES = 131_072

/** The bytes as one frame that states its content size and has no checksum. */
export const zstdFrame = (content: Uint8Array): Uint8Array => {
  const blocks = Math.max(1, Math.ceil(content.length / BLOCK_BYTES))
  const sizeBytes = content.length < 256 ? 1 : content.length < 65_792 ? 2 : 4
  const frame = new Uint8Array(5 + sizeBytes + blocks * 3 + content.length)
  const view = new DataView(frame.buffer)
  view.setUint32(0, MAGIC, true)
  // Descriptor: the width of the content size in the top two bits, and "single segment".
  if (sizeBytes === 1) {
    view.setUint8(4, 0x20)
    view.setUint8(5, content.length)
  } else if (sizeBytes === 2) {
    view.setUint8(4, 0x60)
    view.setUint16(5, content.length - 256, true)
  } else {
    view.setUint8(4, 0xa0)
    view.setUint32(5, content.length, true)
  }
  let offset = 5 + sizeBytes
  for (let block = 0; block < blocks; block++) {
    const part = content.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES)
    const last = block === blocks - 1 ? 1 : 0
    const header = (part.length << 3) | last
    frame.set([header & 0xff, (header >> 8) & 0xff, header >> 16], offset)
    frame.set(part, offset + 3)
    offset += 3 + part.length
  }
  return frame
}
