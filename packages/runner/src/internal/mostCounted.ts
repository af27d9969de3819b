/** Differences that a comparison counts: of results that have nothing in common, there are as many as values. */
export const mostCounted = 10_000
