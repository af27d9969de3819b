/** Why a store does not answer. What a database says may quote what it was given, so only fixed words are repeated: SQLite's for its codes. */
import type { SqlError } from "effect/sql"

export const storeWords = (error: SqlError.SqlError): string => {
  const words = fixedWords(error.reason.cause) ?? error.reason._tag
  return isLasting(error)
    ? `the store cannot be written (${words}): make room on its disk, then resume`
    : `the store does not answer (${words})`
}

/** Whether waiting changes nothing: a disk that is full, or fails, stays so until somebody sees to it. */
export const isLasting = ({ reason: { cause } }: SqlError.SqlError): boolean => {
  if (typeof cause !== "object" || cause === null) return false
  if ("code" in cause && cause.code === diskFull) return true
  return "errcode" in cause && lasting.has(Number(cause.errcode) & 0xff)
}

/** Codes of SQLite: an error of the disk, and a disk without room. */
const lasting: ReadonlySet<number> = new Set([10, 13])

const fixedWords = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("code" in cause && cause.code === diskFull) return "its disk is full"
  return "errstr" in cause && typeof cause.errstr === "string" ? cause.errstr : undefined
}

/** A code of PostgreSQL. */
const diskFull = "53100"
