/**
 * Which blocks to ask for next: a plan of a scan as a value. It knows no network: its driver sends the queries it
 * returns and reports how they ended, one by one or several at a time.
 *
 * The range is cut into cells. A gap is still to be asked for, a flight is being asked for, an answer waits for those
 * before it. Each gap is worked on from its left end, so that every query is planned with the newest density.
 *
 * Invariant: the cells are in order, touch each other, and cover exactly what was not taken yet. A query that failed as
 * too large is never given again.
 */
import type { Endpoint } from "./Endpoint.ts"
import type { Profile } from "./profile.ts"

/** The state of a scan as a value; each step makes the next. */
export interface ScanPlan {
  /** The first block of the range, which lies before the frontier when a plan resumes from another. */
  readonly from: number
  readonly to: number
  /** The most items one call answers, as far as is known by now. */
  readonly limit: number
  /** Items that make a stretch of an answer. */
  readonly stretchItems: number
  /** The most items that any call has answered. */
  readonly fullest: number
  readonly lanes: number
  readonly buffer: number
  readonly failureCost: number
  readonly cells: ReadonlyArray<Cell>
  readonly endpoint: Endpoint
  readonly profile: Profile
  /** What earlier scans have seen of the range. */
  readonly known: Profile
  /** Well filled answers since the newest refusal: they say how many lanes are worth it. */
  readonly streak: number
  /** Queries given so far; also the id of the next. */
  readonly queries: number
}

/** Ask for these blocks, both included. */
export interface Query {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** How a query ended. */
export type QueryOutcome =
  | {
      readonly _tag: "Answered"
      readonly items: number
      /** Where the items lie: stretches of whole blocks with about `stretchItems` each. Without them they are taken to lie evenly. */
      readonly stretches?: Profile | undefined
    }
  | {
      /** The whole was refused for its many blocks or the time they take, and its beginning was answered. */
      readonly _tag: "Narrowed"
      readonly cause: "timeout" | "span"
      /** The server had named so many blocks. */
      readonly isNamed?: boolean
      /** The last block of what was answered. */
      readonly to: number
      readonly items: number
      readonly stretches?: Profile | undefined
    }
  | {
      readonly _tag: "TooLarge"
      /** More items than one answer may have, too long an answer, no answer in time, or more blocks than are allowed. */
      readonly cause: "results" | "size" | "timeout" | "span"
      /** What the server named: a range that works, the most blocks of a call, the most items of one. */
      readonly hint?: {
        readonly from?: number
        readonly to?: number
        readonly span?: number
        readonly items?: number
      }
    }

/** One part of a plan: not queried yet, in flight, or answered. */
export type Cell = Gap | Flight | Answer

/** What is known of the blocks from one on, as refused queries told it. */
export interface Facts {
  /** The fewest blocks from there on that a query failed over. */
  readonly failed?: number
  /** From there to this block there are more than so many items. */
  readonly heavy?: Heavy
  /** The server said that a query up to this block works. */
  readonly offer?: number
}

/** A range that no query in flight or answered covers. */
export interface Gap extends Facts {
  readonly _tag: "Gap"
  readonly from: number
  readonly to: number
}

/** A range that was refused for its many items, and the rest of it. */
export interface Heavy {
  readonly to: number
  readonly moreThan: number
  /** The limit that the whole of it exceeded, as the server reported. */
  readonly limit: number
}

/** A range whose query is in flight. */
export interface Flight {
  readonly _tag: "Flight"
  readonly id: number
  readonly from: number
  readonly to: number
  /** What was known of the gap that it was given from, when it began there. */
  readonly facts: Facts
}

/** An answered range, which waits until all ranges before it are answered. */
export interface Answer {
  readonly _tag: "Answer"
  readonly id: number
  readonly from: number
  readonly to: number
  readonly items: number
}

/** The first block whose items were not taken yet; one after the last when all were. */
export const frontier = (plan: ScanPlan): number => plan.cells[0]?.from ?? plan.to + 1

/** Whether nothing is left to query or to emit. */
export const isDone = (plan: ScanPlan): boolean => plan.cells.length === 0
