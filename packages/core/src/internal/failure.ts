/** The error of a request, as reported by the layer that noticed it. */
import { type Price, RpcError, type RpcReason, type RpcRequest } from "@dotrpc/spec"

export const failure = (
  request: Pick<RpcRequest, "method" | "network">,
  reason: RpcReason.Reason,
  outcome: Price.Outcome,
): RpcError => new RpcError({ method: request.method.name, network: request.network.id, reason, outcome })
