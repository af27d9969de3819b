/** A checksum that tells a text or some bytes from any in which one of them differs (FNV-1a, 32 bits). */
export const checksumOf = (content: string | Uint8Array): number => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0
}
