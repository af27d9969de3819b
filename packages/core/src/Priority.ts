/** Who waits for a call, which decides the calls that go first. */
import * as Context from "effect/Context"

/** A person waits for an `"interactive"` call; nobody does for a `"background"` one. */
export type Priority = "interactive" | "background"

/**
 * The priority of the calls of an effect; interactive by default. Wherever calls wait, for credits, for the rate or
 * for a server's pace, interactive ones go first, and the share that `CreditBudget` keeps for them is not for the others.
 *
 * @example
 * ```ts
 * scan.pipe(Stream.provideService(Priority, "background"))
 * ```
 */
export const Priority = Context.Reference<Priority>("@dotrpc/core/Priority", { defaultValue: () => "interactive" })
