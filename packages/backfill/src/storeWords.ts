/** Why a store does not answer. What a database says may quote what it was given, so only fixed words are repeated: SQLite's for its codes. */
import type { SqlError } from "effect/sql"

export const storeWords = ({ reason }: SqlError.SqlError): string =>
  `the store does not answer (${fixedWords(reason.cause) ?? reason._tag})`

const fixedWords = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause && cause.code === diskFull) return "its disk is full"
  // Effect wraps an error of SQLite together with its code.
  const error: unknown = "error" in cause ? cause.error : cause
  return typeof error === "object" && error !== null && "errstr" in error && typeof error.errstr === "string"
    ? error.errstr
    : undefined
}

/** A code of PostgreSQL. */
const diskFull = "53100"
