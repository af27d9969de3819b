/** Layer-2 events by page: the method `l2_getEvents`, typed calls and a stream over all pages. */
export * as L2Events from "./L2Events.ts"
