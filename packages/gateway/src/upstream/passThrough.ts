/** Methods that a real node answers directly, at the prices of the service. */
import type { Method, Network } from "@dotrpc/spec"
import { priced, type ServedMethod } from "../methods/ServedMethod.ts"
import type { Upstream } from "./Upstream.ts"

/** Serves a method from a node under the name that the caller used. */
export const passThrough = (
  method: Method,
  network: Network,
  upstream: Upstream,
  name = method.name,
): ServedMethod => ({
  ...priced(method, network),
  call: (params) => upstream.call(name, params ?? []),
})
