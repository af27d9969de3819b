/** What the scans of this window learn about endpoints: later ones begin with it, and lenses show what they are likely to take. */
import type { Analysis, BoundRequest } from "@dotrpc/analysis"
import type { RangeScan } from "@dotrpc/core"
import { likelyScan } from "@dotrpc/runner"
import { Effect } from "effect"

export class ScanMemory implements RangeScan.Memory {
  readonly #known = new Map<string, RangeScan.Remembered>()

  readonly read: RangeScan.Memory["read"] = (key) => Effect.sync(() => this.#known.get(key))
  readonly write: RangeScan.Memory["write"] = (key, remembered) =>
    Effect.sync(() => void this.#known.set(key, remembered))

  /** What a request with `# @all` is likely to take; `undefined` where no earlier scan says. */
  likelyCost(analysis: Analysis, request: BoundRequest): RangeScan.LikelyCost | undefined {
    // Where nothing was learned, as before the first run, this takes no time.
    if (this.#known.size === 0) return undefined
    return likelyScan(analysis, request, (key) => this.#known.get(key), Date.now())
  }
}
