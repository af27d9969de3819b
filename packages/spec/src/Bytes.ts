/** `64 MiB`, `9.8 KiB`, `100 bytes`: an amount of bytes as messages name it. */
export const showBytes = (bytes: number): string => {
  if (bytes < 1_024) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  const [amount, unit] = bytes < 1_048_576 ? [bytes / 1_024, "KiB"] : [bytes / 1_048_576, "MiB"]
  return `${Math.round(amount * 10) / 10} ${unit}`
}
