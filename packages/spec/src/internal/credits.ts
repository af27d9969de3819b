/** Which values are amounts of credits, and words for those that are not. They may come from a script without types. */

/** Whether an amount can be counted: a number from zero to the largest below which every whole number is exact. */
export const isCredits = (credits: unknown): credits is number =>
  typeof credits === "number" && credits >= 0 && credits <= Number.MAX_SAFE_INTEGER

/** Throws a `RangeError` that begins with `what` unless this is an amount of credits. */
export const checkCredits = (what: string, credits: number): number => {
  if (!isCredits(credits)) throw new RangeError(`${what} must be ${amount}; it is ${shown(credits)}.`)
  return credits
}

/** What keeps a value from being a table of credits by name, as `eth_call is NaN: expected …`. */
export const creditsProblem = (table: object): string | undefined =>
  firstOf(Object.entries(table), ([name, credits]) =>
    isCredits(credits) ? undefined : `${name} is ${shown(credits)}: expected ${amount}`,
  )

/** What was expected instead of something else. */
export const amount = "a number of credits, zero or more"

export const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value))

/** The first problem that an entry has. */
export const firstOf = <Entry>(entries: ReadonlyArray<Entry>, problemOf: (entry: Entry) => string | undefined) => {
  for (const entry of entries) {
    const problem = problemOf(entry)
    if (problem !== undefined) return problem
  }
  return undefined
}
