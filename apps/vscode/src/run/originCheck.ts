/**
 * Why a browser gave no reply. It reports a server that is down in the same way as one that does not allow the page's
 * origin, so the host gets another request that any page may send: without the path, and so without a key or a charge.
 */
import { isThisMachine, RpcError, RpcReason, type RpcRequest, Transport } from "@dotrpc/spec"
import { Effect, Layer, Redacted } from "effect"

/** Asks an origin for anything at all; the reply cannot be read, and it is enough that there is one. */
export type Probe = (origin: string) => Promise<unknown>

/** Over a transport that sends through the browser. `page` is the origin of the editor. */
export const originCheck = (
  page: string,
  probe: Probe = (origin) => fetch(`${origin}/`, { mode: "no-cors", credentials: "omit", cache: "no-store" }),
): Layer.Layer<Transport, never, Transport> => {
  const explain = (error: RpcError, { network }: RpcRequest): Effect.Effect<never, RpcError> => {
    if (error.reason._tag !== "Transport" || error.outcome !== "unsent" || network.url === undefined) {
      return Effect.fail(error)
    }
    const url = new URL(Redacted.value(network.url))
    if (isMixed(page, url)) return Effect.fail(refused(error, mixedWords(page, url)))
    return Effect.tryPromise(() => probe(url.origin)).pipe(
      Effect.matchEffect({
        onFailure: () => Effect.fail(error),
        onSuccess: () => Effect.fail(refused(error, originWords(page, url))),
      }),
    )
  }
  return Layer.effect(
    Transport,
    Effect.map(Transport, (below) =>
      Transport.of({
        send: (request) => below.send(request).pipe(Effect.catchTag("RpcError", (error) => explain(error, request))),
      }),
    ),
  )
}

const refused = ({ method, network, outcome }: RpcError, said: string): RpcError =>
  new RpcError({ method, network, outcome, reason: new RpcReason.OriginRefused({ said }) })

const originWords = (page: string, { host }: URL): string => `${host} does not allow requests from ${page}`

/** A page that came over TLS may call nothing that does not, except for this machine. */
const isMixed = (page: string, { hostname, protocol }: URL): boolean =>
  page.startsWith("https:") && protocol === "http:" && !isThisMachine(hostname)

const mixedWords = (page: string, { host }: URL): string =>
  `${page} was loaded over https and may not call ${host} over plain http`
