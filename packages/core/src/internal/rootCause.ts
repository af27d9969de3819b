/** Why a `fetch` failed without a response: the cause below the errors that wrap it. */

/** The innermost cause: `fetch` wraps it, and a host with several addresses gives a list, whose first is reported. */
export const rootOf = (error: unknown): unknown => {
  if (error instanceof AggregateError && codeOf(error) === undefined && error.errors.length > 0)
    return rootOf(error.errors[0])
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** The code that an error is known by, or else its message. */
export const wordOf = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.message : String(error))
