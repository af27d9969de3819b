/** Why a backfill does not go on, in words. What a database says may quote what it was given, so only fixed words are repeated. */
import { SqlError } from "effect/sql"

/** Why a store does not answer: SQLite's words for its codes, and ours for those of PostgreSQL. */
export const storeWords = (error: SqlError.SqlError): string => {
  const { cause } = error.reason
  const said = codeOf(cause) === diskFull ? "its disk is full" : memberOf(cause, "errstr")
  const words = typeof said === "string" ? said : error.reason._tag
  return isLasting(error)
    ? `the store cannot be written (${words}): make room on its disk, then resume`
    : `the store does not answer (${words})`
}

/** Whether waiting changes nothing: a disk that is full, or fails, stays so until somebody sees to it. */
export const isLasting = ({ reason: { cause } }: SqlError.SqlError): boolean =>
  codeOf(cause) === diskFull || lasting.has(Number(memberOf(cause, "errcode") ?? 0) & 0xff)

/** Codes of SQLite: an error of the disk, and a disk without room. */
const lasting: ReadonlySet<number> = new Set([10, 13])

/** A code of PostgreSQL. */
const diskFull = "53100"

const codeOf = (cause: unknown): unknown => memberOf(cause, "code")

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** What people read about a defect. Its own message may quote what is secret. */
export const defectWords = (defect: unknown): string =>
  SqlError.isSqlError(defect)
    ? storeWords(defect)
    : `internal error, please report: ${defect instanceof Error ? defect.name : typeof defect}`

/** What people read when a backfill pauses because of its limit. */
export const usedUp = (maxCredits: number, price: number): string =>
  `the limit of ${maxCredits} credits does not allow another call, for which ${price} are set aside: raise it with dotrpc backfill resume --max-credits`

/** What people read when no hour's limit would ever be enough for a call. */
export const tooFewInAnHour = (perHour: number, price: number): string =>
  `the limit of ${perHour} credits per hour does not allow a call, for which ${price} are set aside: raise it with dotrpc backfill resume --max-credits-per-hour`

/**
 * What is worth saying of something that is looked at again and again: a trouble once, and `over` once that it is over.
 *
 * @returns what to say of a look that met with `trouble`, or with none
 */
export const makeNews = (over: string): ((trouble: string | undefined) => string | undefined) => {
  let known: string | undefined
  return (trouble) => {
    if (trouble === known) return undefined
    known = trouble
    return trouble ?? over
  }
}
