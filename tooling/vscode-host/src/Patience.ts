/**
 * How long anything is waited for. The only times that a test depends on: each is ten times what a quiet machine needs, so that
 * they end what hangs, and nothing that is only slow.
 */

/** Milliseconds for one step: a click and what it leads to, or a window that opens. */
export const patience = 120_000

/** Milliseconds for a whole flow: some of its steps wait for a page without an end of their own. */
export const longest = 600_000
