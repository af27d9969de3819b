/**
 * A limit on what one piece of work may spend, and the meter of what it did spend. A fiber carries the allowances it is
 * inside; a call is paid from every one of them.
 *
 * Invariant: `spent + reserved` never exceeds `limit`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import { Options, Price } from "@dotrpc/spec"

/** What an allowance may spend, and how it is named. */
export interface AllowanceOptions {
  /** How a refusal names it: `--max-credits`, `# @budget`. */
  readonly name: string
  /** Credits, zero or more. Without it the allowance only counts. */
  readonly limit?: number | undefined
  /** Spent from as well, whenever this one is. */
  readonly parent?: Allowance | undefined
}

/** An allowance whose numbers may be read while calls are in flight. */
export class Allowance {
  readonly name: string
  readonly limit: number | undefined
  readonly parent: Allowance | undefined
  #spent = 0
  #reserved = 0
  #calls = 0

  constructor(options: AllowanceOptions) {
    Options.members(options, { name: true, limit: true, parent: true })
    Options.text("name", options.name)
    if (options.limit !== undefined) Options.zeroOrMore(options.name, options.limit, "credits")
    // Two with the same name and limit are two.
    Equal.byReferenceUnsafe(this)
    this.name = options.name
    this.limit = options.limit
    this.parent = options.parent
  }

  /** Credits charged so far. */
  get spent(): number {
    return this.#spent
  }

  /** Credits set aside for attempts that have not ended. */
  get reserved(): number {
    return this.#reserved
  }

  /** Attempts that were sent or charged. */
  get calls(): number {
    return this.#calls
  }

  /** Whether so many credits may still be reserved. */
  covers(credits: number): boolean {
    return this.limit === undefined || this.#spent + this.#reserved + credits <= this.limit
  }

  /** Sets credits aside for a call. */
  reserve(credits: number): void {
    this.#reserved += credits
  }

  /** Ends an attempt that had reserved `credits`. They count as spent when `charged` is not a number of credits. */
  settle(credits: number, charged: number): void {
    this.#reserved -= credits
    this.#spent += Price.isCredits(charged) ? charged : credits
  }

  /** Counts one call. */
  countCall(): void {
    this.#calls++
  }
}

/** An allowance to run calls in with {@link withAllowance} and to read meanwhile. Throws a `RangeError` on a negative limit. */
export const makeAllowance = (options: AllowanceOptions): Allowance => new Allowance(options)

/** Every allowance the current fiber is inside, innermost first. */
export const CurrentAllowances = Context.Reference<ReadonlyArray<Allowance>>("@dotrpc/core/CurrentAllowances", {
  defaultValue: () => [],
})

/** The file whose requests the calls of an effect are, which a ledger outside the process names beside the program. Not a secret. */
export const SpendingFile = Context.Reference<string | undefined>("@dotrpc/core/SpendingFile", {
  defaultValue: () => undefined,
})

/** Pays the calls of an effect from this allowance, from its parents, and from those the effect already is inside. */
export const withAllowance =
  (allowance: Allowance) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.updateService(effect, CurrentAllowances, (outer) => [...new Set([...lineOf(allowance), ...outer])])

/**
 * Limits what an effect may spend. Each run of the effect has an allowance of its own. A client that has no `CreditBudget` below it pays from
 * nothing: its calls fail with `LedgerUnavailable`, and are not sent.
 *
 * @example
 * ```ts
 * Evm.getLogs(filter).pipe(CreditBudget.within({ name: "--max-credits", limit: 1_000 }))
 * ```
 */
export const within =
  (options: AllowanceOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => withAllowance(makeAllowance(options))(effect))

const lineOf = (allowance: Allowance): ReadonlyArray<Allowance> =>
  allowance.parent === undefined ? [allowance] : [allowance, ...lineOf(allowance.parent)]
