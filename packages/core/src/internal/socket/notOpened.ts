/** Why a socket could not be opened, as the error of the call that needed it. */
import { Redaction, type RpcError, RpcReason, type RpcRequest, Wire } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { failure } from "../failure.ts"
import type { OpenFailure } from "./openSocket.ts"
import { shownHost } from "../shownHost.ts"

/** A refusal with a status means the same as over HTTP, but nothing was sent and so nothing is charged. */
export const notOpened = (request: RpcRequest, url: URL, { status, words }: OpenFailure, now: number): RpcError => {
  if (status !== undefined) {
    const refused = Wire.decodeReply(request, 0, { status, headers: () => undefined, body: "", now })
    if (Result.isFailure(refused)) return failure(request, refused.failure.reason, "unsent")
  }
  const said = Redaction.scrub(words, request.network.secrets)
  const reason = new RpcReason.Transport({
    said: `could not open a WebSocket to ${shownHost(request.network, url)} (${said})`,
  })
  return failure(request, reason, "unsent")
}
