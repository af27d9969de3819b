/** What an exchange over HTTP means for a call. */
import { type RpcError, RpcReason, type RpcRequest, Wire } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { connectionFailure } from "./connectionFailure.ts"
import type { Exchange } from "./exchange.ts"
import { failure } from "../failure.ts"
import { replyTooLarge } from "../replyLimit.ts"
import { shownHost } from "../shownHost.ts"

/** `decode` reads a reply that is whole, or whose status has said what there is to say. */
export const readExchange = <Reply>(
  request: RpcRequest,
  url: URL,
  exchange: Exclude<Exchange, { readonly _tag: "Long" }>,
  now: number,
  decode: (reply: Wire.HttpReply) => Result.Result<Reply, RpcError>,
): Result.Result<Reply, RpcError> => {
  switch (exchange._tag) {
    case "Whole":
      return decode({ ...exchange, now })
    case "Redirect": {
      const why = holdsKey(url) ? "it would pass on the API key in the URL" : "a network has one URL"
      const said = `${shownHost(request.network, url)} answered with a redirect, which is not followed because ${why}: set "url" to the final URL`
      return Result.fail(failure(request, new RpcReason.Malformed({ said }), "client-error"))
    }
    case "CutOff": {
      // An error status has said what there is to say; a success without its end has not.
      if (exchange.status >= 400) return decode({ ...exchange, body: "", now })
      const host = shownHost(request.network, url)
      const reason =
        exchange.isPacked === true
          ? new RpcReason.Malformed({ httpStatus: exchange.status, said: `the reply from ${host} cannot be unpacked` })
          : Wire.lostReply(`the reply from ${host} ended early`, exchange.status)
      return Result.fail(failure(request, reason, "malformed"))
    }
    case "TooLarge":
      if (exchange.status >= 400) return decode({ ...exchange, body: "", now })
      return Result.fail(replyTooLarge(request, url, exchange.limit, exchange.status))
    case "None":
      return Result.fail(connectionFailure(request, url, exchange))
  }
}

/** Whether a URL has a part that may be a key: anything after its host, or a password. */
const holdsKey = ({ password, pathname, search, username }: URL): boolean =>
  pathname !== "/" || search !== "" || username + password !== ""
