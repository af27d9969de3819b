import type { Redaction, RpcRequest } from "@dotrpc/spec"

/** The secrets that replies to these requests may not show. Most requests are to one network, whose list is the same each time. */
export const secretsOf = (requests: ReadonlyArray<RpcRequest>): Redaction.Secrets => {
  const [secrets = [], ...more] = new Set(requests.map(({ network }) => network.secrets))
  return more.length === 0 ? secrets : [secrets, ...more].flat()
}
