/** A value that is made when it is first needed. */
export const once = <A extends object, Args extends ReadonlyArray<unknown>>(
  make: (...args: Args) => A,
): ((...args: Args) => A) => {
  let made: A | undefined
  return (...args) => (made ??= make(...args))
}
