/** How attempts end. */

/**
 * How an attempt ended, as far as charging is concerned.
 *
 * - `ok`: a result; `rpc-error`: an error object inside an HTTP 200; `malformed`: a reply cut off or unreadable
 * - `timeout`: no reply in time, or interrupted, after sending
 * - `payment-required` 402; `too-many-requests` 429; `client-error` other 4xx; `server-error` 5xx
 * - `unsent`: the connection was refused or reset, or nothing was written
 */
export type Outcome = (typeof outcomes)[number]

/** All of them. */
export const outcomes = [
  "ok",
  "rpc-error",
  "malformed",
  "timeout",
  "payment-required",
  "too-many-requests",
  "client-error",
  "server-error",
  "unsent",
] as const
