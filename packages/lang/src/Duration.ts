/** Durations as they are written in directives: `500ms`, `2s`, `1m`, `1h`. */
const shape = /^(\d+)(ms|s|m|h)$/
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Reads a duration in milliseconds, or `undefined` when the text is not a whole number with `ms`, `s`, `m` or `h`
 * or the result is too large to be exact.
 *
 * @example
 * parseDuration("2s") // 2000
 */
export function parseDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = shape.exec(text) ?? []
  const duration = Number(count) * (milliseconds[unit] ?? Number.NaN)
  return Number.isSafeInteger(duration) ? duration : undefined
}
