/** How long a reply may be, so that no server can fill the memory of its client. */
import { Options, type RpcError, RpcReason, type RpcRequest, showBytes } from "@dotrpc/spec"
import { failure } from "./failure.ts"
import { shownHost } from "./shownHost.ts"

/** The most bytes that a reply may have where nothing else is said. */
export const usualBytes = 64 * 1_048_576

/** The rows of three million logs, which nearly fill the memory that Node allows itself. */
const mostBytes = 2_000_000_000

/** A message of a WebSocket is one string, and a string in JavaScript cannot be much longer. */
export const longestMessage = 500_000_000

/** Throws a `RangeError` when it is not a number of bytes that can be read. */
export const replyLimitOf = (maxReplyBytes = usualBytes): number => {
  if (Number.isInteger(maxReplyBytes) && maxReplyBytes > 0 && maxReplyBytes <= mostBytes) return maxReplyBytes
  const expected = `a whole number of bytes from 1 to ${mostBytes}`
  throw new Options.OptionError({
    message: `maxReplyBytes must be ${expected}; it is ${maxReplyBytes}. Leave it out for the default of ${showBytes(usualBytes)}.`,
    path: "maxReplyBytes",
    expected,
  })
}

/** The server has answered, so the call counts as one whose reply cannot be used. */
export const replyTooLarge = (request: RpcRequest, url: URL, limit: number, httpStatus?: number): RpcError => {
  const said = `the reply from ${shownHost(request.network, url)} is longer than ${showBytes(limit)}; the rest was not read`
  const status = httpStatus === undefined ? {} : { httpStatus }
  return failure(request, new RpcReason.ReplyTooLarge({ said, limit, ...status }), "malformed")
}

/** As {@link replyTooLarge}, of a subscription: its events have a limit of their own, as many of them wait at once. */
export const eventTooLarge = (event: RpcRequest, url: URL, limit: number): RpcError => {
  const said = `an event from ${shownHost(event.network, url)} is longer than ${showBytes(limit)}; the rest was not read`
  return failure(event, new RpcReason.ReplyTooLarge({ said, limit, of: "event" }), "malformed")
}
