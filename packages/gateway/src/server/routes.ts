/** The URLs of the server: `{base}` of service §4 is `/NETWORK`. */

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
  const [root, ...segments] = segmentsOf(target)
  if (root !== "") return undefined
  const [first = "", second, third = "", fourth] = segments
  if (segments.length === 1)
    return first === "healthz" ? { to: "health" } : first === "metrics" ? { to: "metrics" } : undefined
  if (first === "" || segments.includes("")) return undefined
  const keyed = (to: "calls" | "credits" | "socket", key: string): Route => ({
    to,
    network: decoded(first),
    key: decoded(key),
  })
  if (segments.length === 3 && second === "v3") return keyed("calls", third)
  if (segments.length === 4 && second === "v3" && fourth === "credits") return keyed("credits", third)
  if (segments.length === 4 && second === "ws" && third === "v3") return keyed("socket", fourth ?? "")
  return undefined
}

/** No route has more than four segments, so no more are looked for. */
const segmentsOf = (target: string): ReadonlyArray<string> => {
  const query = target.search(/[?#]/)
  let end = query < 0 ? target.length : query
  while (end > 0 && target[end - 1] === "/") end -= 1
  return target.slice(0, end).split("/", 6)
}

/** A segment that is not well encoded stands for itself: it matches no network and no key. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
