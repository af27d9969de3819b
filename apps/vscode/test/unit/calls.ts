/** A call as a layer of the runtime gets it. */
import type { RpcRequest } from "@dotrpc/spec"
import { Redacted } from "effect"

import { report } from "./reports.ts"

const { method, network } = report().request
if (method === undefined || network === undefined) throw new Error("The sample has no call.")

export const evmMethod = method.name

/** With a secret among its params. */
export const request: RpcRequest = {
  method,
  network: { ...network, secrets: [Redacted.make("canary-77ab")] },
  params: [{ address: "canary-77ab" }],
}
