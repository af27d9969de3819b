/**
 * Calls over HTTP through the proxy that the environment names, as other tools of a terminal send theirs: `HTTPS_PROXY`,
 * `HTTP_PROXY` and `NO_PROXY`, in capitals or small letters. Node's own client reads none of them by default.
 *
 * Invariant: calls to this machine never go through a proxy, and no message contains the URL of a proxy, as it may
 * contain a password.
 */
import { HttpForward, HttpTransport } from "@dotrpc/core"
import { ExitCode } from "@dotrpc/runner"
import {
  isThisMachine,
  type Network,
  type Options,
  RpcError,
  RpcReason,
  type RpcRequest,
  Transport,
} from "@dotrpc/spec"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

/** Proxies by the variables that name them; `undefined` where nothing goes through one. */
export interface Proxies {
  readonly http: NamedProxy | undefined
  readonly https: NamedProxy | undefined
  /** Hosts that are reached without one, as `NO_PROXY` lists them. */
  readonly except: string
}

interface NamedProxy {
  readonly variable: string
  readonly url: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The proxies of an environment. Fails when a variable is none that can be used. */
export const proxiesIn = (env: Environment): Effect.Effect<Proxies | undefined, CommandFailed> =>
  Effect.gen(function* () {
    const http = yield* proxyOf(env, "HTTP_PROXY")
    const https = (yield* proxyOf(env, "HTTPS_PROXY")) ?? http
    const [, except = ""] = variableOf(env, "NO_PROXY") ?? []
    return https === undefined ? undefined : { http, https, except }
  })

/** HTTP over the proxies, and without one to this machine. */
export const layer = (proxies: Proxies, replies: ReplyOptions = {}): Layer.Layer<Transport, Options.InvalidOptions> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const direct = Context.get(yield* Layer.build(HttpTransport.layer(replies)), Transport)
      const through = Context.get(yield* Layer.build(overProxies(proxies, replies)), Transport)
      return Transport.of({ send: eitherWay(proxies, direct.send, through.send) })
    }),
  )

/** As {@link layer}, for texts that are passed on; without proxies all go directly. */
export const forward = Effect.fnUntraced(function* (
  proxies: Proxies | undefined,
  options: Omit<HttpTransport.Options, "agents" | "fetch">,
): Effect.fn.Return<HttpForward.Forward, Options.InvalidOptions, Scope.Scope> {
  const direct = yield* HttpForward.make(options)
  if (proxies === undefined) return direct
  const through = yield* HttpForward.make({ ...options, agents: yield* agentsOf(proxies) })
  return eitherWay(proxies, direct, through)
})

const eitherWay =
  <Request extends Pick<RpcRequest, "network">, Reply>(
    proxies: Proxies,
    direct: (request: Request) => Effect.Effect<Reply, RpcError>,
    through: (request: Request) => Effect.Effect<Reply, RpcError>,
  ) =>
  (request: Request): Effect.Effect<Reply, RpcError> =>
    leavesThisMachine(request.network)
      ? Effect.mapError(through(request), (error) => withProxy(error, request.network, proxies))
      : direct(request)

/** How long a reply may be. */
type ReplyOptions = Pick<HttpTransport.Options, "maxReplyBytes">

const overProxies = (proxies: Proxies, replies: ReplyOptions): Layer.Layer<Transport, Options.InvalidOptions> =>
  Layer.unwrap(Effect.map(agentsOf(proxies), (agents) => HttpTransport.layer({ agents, ...replies })))

/** What connects through the proxies, until the scope closes. */
const agentsOf = Effect.fnUntraced(function* ({ except, http, https }: Proxies) {
  const { agentsThrough } = yield* Effect.promise(() => import("./tunnels.ts"))
  return yield* Effect.acquireRelease(
    Effect.sync(() => agentsThrough({ except, http: http?.url, https: https?.url })),
    ({ http, https }) =>
      Effect.sync(() => {
        http.destroy()
        https.destroy()
      }),
  )
})

const proxyOf = (env: Environment, variable: string): Effect.Effect<NamedProxy | undefined, CommandFailed> => {
  const [name, value] = variableOf(env, variable) ?? []
  if (name === undefined || value === undefined) return Effect.succeed(undefined)
  const url = value.includes("://") ? value : `http://${value}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return Effect.succeed({ variable: name, url })
  const line = `${name} is not the URL of a usable proxy: write it as http://HOST:PORT, or unset it`
  return Effect.fail(new CommandFailed({ lines: [line], exitCode: ExitCode.invalid }))
}

/** Small letters come first, as elsewhere; an empty one says nothing. */
const variableOf = (env: Environment, variable: string): readonly [name: string, value: string] | undefined => {
  for (const name of [variable.toLowerCase(), variable]) {
    const value = env[name]
    if (value !== undefined && value !== "") return [name, value]
  }
  return undefined
}

const urlOf = ({ url }: Network): URL | undefined => {
  const text = url === undefined ? "" : Redacted.value(url)
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Whether calls of a network over HTTP may go through a proxy; those to this machine and to the embedded gateway do not. */
export const leavesThisMachine = (network: Network): boolean => {
  const { hostname = "", protocol = "" } = urlOf(network) ?? {}
  return /^https?:$/.test(protocol) && !isThisMachine(hostname)
}

/** Where nobody was reached, it may have been the proxy. */
const withProxy = (error: RpcError, network: Network, { http, https }: Proxies): RpcError => {
  const { reason } = error
  const proxy = urlOf(network)?.protocol === "https:" ? https : http
  if (reason._tag !== "Transport" || error.outcome !== "unsent" || reason.hint !== undefined || proxy === undefined)
    return error
  const hint = `Check the endpoint and the proxy in ${proxy.variable}; hosts in NO_PROXY bypass the proxy.`
  return new RpcError({
    method: error.method,
    network: error.network,
    outcome: error.outcome,
    reason: new RpcReason.Transport({ said: reason.said, hint }),
  })
}
