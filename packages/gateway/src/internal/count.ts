/** The sizes of generated networks. */

/**
 * Checks an option that counts something.
 *
 * @throws RangeError unless the value is a safe integer and at least `least`.
 */
export const checkCount = (name: string, value: number, least: number): void => {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new RangeError(`the number of ${name} must be a whole number, ${least} or more; got ${value}`)
}
