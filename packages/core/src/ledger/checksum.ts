/** A checksum that changes when one character or byte differs (FNV-1a, 32 bits). */
export const checksumOf = (content: string | Uint8Array): number => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0
}
