/** The addresses of the server: `{base}` of service §4 is `/NETWORK`. */

export type Route =
  /** `POST /NETWORK/v3/KEY` */
  | { readonly to: "calls"; readonly network: string; readonly key: string }
  /** `GET /NETWORK/v3/KEY/credits` */
  | { readonly to: "credits"; readonly network: string; readonly key: string }
  /** WebSocket `/NETWORK/ws/v3/KEY` */
  | { readonly to: "socket"; readonly network: string; readonly key: string }
  | { readonly to: "health" }
  | { readonly to: "metrics" }

/** The methods each route answers, as an `allow` header. */
export const allowedMethods: Readonly<Record<Route["to"], string>> = {
  calls: "POST, OPTIONS",
  credits: "GET, OPTIONS",
  socket: "GET",
  health: "GET, OPTIONS",
  metrics: "GET, OPTIONS",
}

/** The route of a request target; `undefined` when there is none. Slashes at the end and queries are ignored. */
export const routeOf = (target: string): Route | undefined => {
  const path = target.replace(/[?#].*$/s, "").replace(/\/+$/, "")
  if (path === "/healthz") return { to: "health" }
  if (path === "/metrics") return { to: "metrics" }
  const found = /^\/([^/]+)\/(ws\/)?v3\/([^/]+)(\/credits)?$/.exec(path)
  if (found === null) return undefined
  const [, network = "", socket, key = "", credits] = found
  if (socket !== undefined && credits !== undefined) return undefined
  const to = socket !== undefined ? "socket" : credits !== undefined ? "credits" : "calls"
  return { to, network: decoded(network), key: decoded(key) }
}

/** A segment that is not well encoded stands for itself: it matches no network and no key. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
