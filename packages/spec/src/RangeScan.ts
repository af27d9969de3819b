/** Scans of block ranges of any length: what `Evm.scanLogs(filter)` needs, and nothing about how they are planned. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ItemOf, Method, ParamsOf } from "./Method.ts"
import type { RpcError } from "./RpcError.ts"

/** The service that scans a range of blocks by as few calls as possible. */
export class RangeScan extends Context.Service<
  RangeScan,
  {
    /**
     * Every item of the range that the params cover, in order, none missing and none twice, however many calls that
     * takes, typed by the method. Methods without a `range` are called once, and their result is the only item.
     */
    readonly scan: <M extends Method>(method: M, params: ParamsOf<M>) => Stream.Stream<ItemOf<M>, RpcError>
  }
>()("@dotrpc/spec/RangeScan") {
  /**
   * A scan by the current service.
   *
   * @example
   * ```ts
   * const logs: Stream.Stream<Evm.Log, RpcError, RangeScan> = RangeScan.scan(Evm.GetLogs, [{ fromBlock: "0x0" }])
   * ```
   */
  static readonly scan = <M extends Method>(
    method: M,
    params: ParamsOf<M>,
  ): Stream.Stream<ItemOf<M>, RpcError, RangeScan> =>
    Stream.unwrap(Effect.map(RangeScan, (service) => service.scan(method, params)))
}
