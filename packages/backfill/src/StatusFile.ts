/**
 * How far a backfill is, as the text of a small file in its folder: its workers write it from what their store has, and editors read
 * it without that store. Nothing else depends on it.
 *
 * Invariant: what is read is bounded, and of the types that it says. The file may be one of a stranger's repository.
 */
import { Json } from "@dotrpc/spec"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Backfill } from "./Order.ts"
import type { Status } from "./Status.ts"

/** Its name, in the folder `.backfill` of the backfill. */
export const statusFileName = "status.json"

/** No file that is written has more bytes. */
export const mostStatusBytes = 1 << 16

const mostWorkers = 24
const longestName = 200
const longestText = 1_000

const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
/** Milliseconds since 1970, up to the last moment that is a date. */
const moment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 }))
const amount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const name = Schema.String.check(Schema.isMaxLength(longestName))
const text = Schema.String.check(Schema.isMaxLength(longestText))

const Worker = Schema.Struct({
  worker: name,
  /** Those that it reads at the moment. */
  pieces: count,
  /** When it wrote last, in milliseconds since 1970. */
  seenAt: moment,
})

const File = Schema.Struct({
  version: Schema.Literal(1),
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)),
  /** Grows as that of the manifest does. */
  revision: count,
  /** When it was written, in milliseconds since 1970. */
  at: moment,
  /** Whether the worker who wrote it has ended. Others that still work write it again. */
  ended: Schema.Boolean,
  method: name,
  network: name,
  from: count,
  to: count,
  state: Schema.Literals(["running", "paused", "cancelled", "failed", "done"]),
  /** Why it does not run; empty otherwise. */
  why: text,
  follow: Schema.Boolean,
  blocks: Schema.Struct({ read: count, total: count }),
  rows: count,
  parts: count,
  calls: count,
  credits: amount,
  /** Absent limits and what nobody knows are `null`. */
  maxCredits: Schema.NullOr(amount),
  callsLeft: Schema.NullOr(count),
  creditsLeft: Schema.NullOr(count),
  millisLeft: Schema.NullOr(count),
  /** When it continues by itself, in milliseconds since 1970; zero when it does not wait. */
  wake: moment,
  /** Those who wrote last, the newest first. */
  workers: Schema.Array(Worker).check(Schema.isMaxLength(mostWorkers)),
  /** Whether the state is in the folder itself, or in a database that a reader has to name. */
  store: Schema.Literals(["folder", "elsewhere"]),
  /** The configuration of the worker, relative to the folder, with slashes; `null` where it has none. */
  config: Schema.NullOr(text),
  environment: Schema.NullOr(name),
})

/** What the file says. */
export type StatusFile = typeof File.Type

/** What a worker knows besides its store. */
export type Origin = Pick<StatusFile, "config" | "environment" | "store">

/** What the file says of a backfill; texts and lists that are too long are cut, and what nobody knows is `null`. */
export const statusFileOf = (
  { version: revision, ...backfill }: Backfill,
  status: Status,
  origin: Origin,
  { at, ended }: Pick<StatusFile, "at" | "ended">,
): StatusFile => {
  const workers = status.workers
    .toSorted((left, right) => right.seenAt - left.seenAt)
    .slice(0, mostWorkers)
    .map(({ pieces, seenAt, worker }) => ({ worker: worker.slice(0, longestName), pieces, seenAt }))
  const known: Readonly<Record<string, unknown>> = { ...backfill, ...status, ...origin, workers, revision, at, ended }
  const members = Object.keys(File.fields).map((key) => [key, key === "version" ? 1 : shown(key, known[key])])
  return Object.fromEntries(members) as StatusFile
}

/** A reader uses no configuration that is not short. A clock that was set back gives a time below zero. */
const shown = (key: string, value: unknown): unknown => {
  if (typeof value === "string") return value.slice(0, isNamed.has(key) ? longestName : longestText)
  if (!key.endsWith("Left")) return value ?? null
  const whole = Math.ceil(Number(value))
  return whole >= 0 && Number.isSafeInteger(whole) ? whole : null
}

const isNamed: ReadonlySet<string> = new Set(["method", "network", "environment"])

/** The text of the file. */
export const statusFileText = (file: StatusFile): string => `${Json.stringify(file)}\n`

/** What a file says; `undefined` for one that is not of this kind, or of a newer version. */
export const readStatusFile = (json: string): StatusFile | undefined => {
  try {
    return Option.getOrUndefined(decode(JSON.parse(json)))
  } catch {
    // It is not JSON.
    return undefined
  }
}

const decode = Schema.decodeUnknownOption(File)
