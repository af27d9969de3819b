/** Scans of block ranges of any length: what `Evm.scanLogs(filter)` needs, and nothing about how they are planned. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Json } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { RpcError } from "./RpcError.ts"

export class RangeScan extends Context.Service<
  RangeScan,
  {
    /**
     * Every item of the range that the params cover, in order, none missing and none twice, however many calls that
     * takes. Methods without a `range` are called once, and their result is the only item.
     */
    readonly scan: (method: Method, params: Json) => Stream.Stream<Json, RpcError>
  }
>()("@dotrpc/spec/RangeScan") {
  /** A scan by the current service. */
  static readonly scan = (method: Method, params: Json): Stream.Stream<Json, RpcError, RangeScan> =>
    Stream.unwrap(Effect.map(RangeScan, (service) => service.scan(method, params)))
}
