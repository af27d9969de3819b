/** What the scans of this window learn about endpoints: later ones begin with it, and lenses show what they are likely to take. */
import { type Analysis, bindParams, type BoundRequest } from "@dotrpc/analysis"
import { RangeScan } from "@dotrpc/core"
import { Effect } from "effect"

export class ScanMemory implements RangeScan.Memory {
  readonly #known = new Map<string, RangeScan.Remembered>()

  readonly read: RangeScan.Memory["read"] = (key) => Effect.sync(() => this.#known.get(key))
  readonly write: RangeScan.Memory["write"] = (key, remembered) =>
    Effect.sync(() => void this.#known.set(key, remembered))

  /** What a request with `# @all` is likely to take; `undefined` where no earlier scan says. */
  likelyCost(analysis: Analysis, request: BoundRequest): RangeScan.LikelyCost | undefined {
    const { method, network, settings } = request
    // Where nothing was learned, as before the first run, this takes no time.
    if (this.#known.size === 0 || !settings.all || settings.limit !== undefined) return undefined
    if (method?.range === undefined || network === undefined) return undefined
    const known = this.#known.get(RangeScan.memoryKey(method, network))
    if (known === undefined) return undefined
    const bound = bindParams(analysis, request, new Map())
    return "params" in bound ? RangeScan.likelyCost(method, network, bound.params, known, Date.now()) : undefined
  }
}
