/** How requests over HTTP are posted: through Node's client, or through `fetch` where there is none or a program passes its own. */
import { Options as Check } from "@dotrpc/spec"
import { replyLimitOf } from "../replyLimit.ts"
import type { Post } from "./exchange.ts"
import { type Fetch, fetchPost, globalFetch } from "./fetchPost.ts"
import { type Agents, nodePost } from "./nodePost.ts"

/** What sends the requests, and how much of a reply is read. */
export interface HttpOptions {
  /** Used instead of Node's own client; outside Node the global `fetch` by default. */
  readonly fetch?: Fetch | undefined
  /**
   * Node's agents that open the connections, such as those of a proxy. Without them connections are shared by all transports of the
   * program, and kept for 4 seconds.
   */
  readonly agents?: Agents | undefined
  /**
   * The most bytes that a reply may have, once it is unpacked; 64 MiB by default. A longer one is given up as soon as it has
   * that many, and the call fails with `ReplyTooLarge`.
   */
  readonly maxReplyBytes?: number | undefined
}

export const postOf = ({
  agents,
  fetch,
  maxReplyBytes,
}: HttpOptions): { readonly limit: number; readonly post: Post } => {
  const limit = replyLimitOf(maxReplyBytes)
  const own = fetch === undefined ? nodePost(limit, agents) : undefined
  return { limit, post: own ?? fetchPost(Check.func("fetch", fetch ?? globalFetch), limit) }
}
