/** The error of a request, as reported by the layer that noticed it. */
import { type Price, RpcError, RpcReason, type RpcRequest } from "@dotrpc/spec"

export const failure = (
  request: Pick<RpcRequest, "method" | "network">,
  reason: RpcReason.Reason,
  outcome: Price.Outcome,
): RpcError => new RpcError({ method: request.method.name, network: request.network.id, reason, outcome })

/** The error, which says what its piece of work had sent and spent when a limit of the user refused the rest. */
export const withSentBefore = (error: RpcError, before: RpcReason.SentBefore): RpcError => {
  const reason = RpcReason.afterSending(error.reason, before)
  if (reason === error.reason) return error
  const { data, method, network, outcome } = error
  return new RpcError({ method, network, outcome, data, reason })
}
