/** Results that do not fit their method: the error of a program that was sent what its types do not say, and what is read all the same. */
import * as Effect from "effect/Effect"
import type { Json } from "./Json.ts"
import type { Network } from "./Network.ts"
import { type ParamIssue, type ParamPath, showPath } from "./Params.ts"
import * as Redaction from "./Redaction.ts"
import { RpcError } from "./RpcError.ts"
import { Malformed } from "./RpcReason.ts"
import type { RpcRequest } from "./Transport.ts"

/** The error of a result with this issue. The server did answer, so the call is charged like any other; `received` is without secrets. */
export const misfit = (
  { method, network }: Pick<RpcRequest, "method" | "network">,
  received: Json,
  issue: ParamIssue,
): RpcError =>
  new RpcError({
    method: method.name,
    network: network.id,
    reason: new Malformed({
      said: misfitWords(network, issue),
      misfit: { received, at: placeInResult(network, issue.path) },
    }),
    outcome: "ok",
  })

/** What is unexpected in a result, and where; without secrets. */
export const misfitWords = (network: Network, { message, path }: ParamIssue, root = "result"): string =>
  `${placeInResult(network, path, root)}: ${Redaction.scrub(message, network.secrets)}`

/** A place in a result, whose names a server chose; without secrets. */
export const placeInResult = (network: Network, path: ParamPath, root = "result"): string =>
  Redaction.scrub(showPath(path, root), network.secrets)

/**
 * Reads what the program itself needs of a result that may not fit its method. If a plugin's function throws on a result that fits,
 * that is a defect; on any other, the error says what is missing.
 *
 * @example
 * ```ts
 * const items = yield* readable({ method, network }, result, () => Effect.sync(() => range.items(result)))
 * ```
 */
export const readable = <A, E, R>(
  asked: Pick<RpcRequest, "method" | "network">,
  result: Json,
  read: () => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | RpcError, R> =>
  Effect.catchDefect(Effect.suspend(read), (defect): Effect.Effect<never, RpcError> => {
    const issue = asked.method.resultIssue(result)
    return issue === undefined
      ? Effect.die(defect)
      : Effect.fail(misfit(asked, Redaction.scrubJson(result, asked.network.secrets), issue))
  })
