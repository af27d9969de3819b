/** How long a server asks to wait: `Retry-After` in seconds or as an HTTP date. */

/** Milliseconds to wait, or `undefined` when the header is absent or says nothing usable. Never negative. */
export const retryAfterMillis = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
