/** An end for what might never come: a page that is frozen answers neither yes nor no. */

/**
 * What the work gives, or an error that names it when it takes longer than these milliseconds. The work itself is not stopped: a
 * caller that gives up closes what the work uses.
 */
export async function within<A>(millis: number, what: string, work: Promise<A>): Promise<A> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Not done in ${millis / 1_000} seconds: ${what}`)), millis)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
