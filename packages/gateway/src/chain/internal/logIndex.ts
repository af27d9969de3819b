/**
 * The logs of a chain in order, with the places of every address and every first topic.
 *
 * Nearly every filter names a contract or an event, so those two are indexed; the remaining topics are checked log by
 * log. The index is exact, unlike bloom filters, which in a chain file may be missing or wrong.
 */
import type { Log } from "../ChainJson.ts"
import { compileLogFilter, type CompiledLogFilter, type LogFilter, matchesLog } from "../LogFilter.ts"
import { firstAbove, getOrCreate } from "./storageHistory.ts"

/** All logs of a chain. Logs must be added in order. */
export class LogIndex {
  readonly #logs: Array<Log> = []
  /** The block of each log, for finding a range. */
  readonly #blocks: Array<number> = []
  readonly #byAddress = new Map<string, Array<number>>()
  readonly #byFirstTopic = new Map<string, Array<number>>()

  add(log: Log, blockNumber: number): void {
    const place = this.#logs.length
    this.#logs.push(log)
    this.#blocks.push(blockNumber)
    getOrCreate(this.#byAddress, log.address.toLowerCase(), () => []).push(place)
    const [firstTopic] = log.topics
    if (firstTopic !== undefined) getOrCreate(this.#byFirstTopic, firstTopic.toLowerCase(), () => []).push(place)
  }

  /** The logs of a range of blocks that pass the filter, found as they are asked for. */
  *query(fromBlock: number, toBlock: number, filter: LogFilter): Generator<Log, void> {
    const compiled = compileLogFilter(filter)
    const start = firstAbove(this.#blocks, fromBlock - 1)
    const end = firstAbove(this.#blocks, toBlock)
    for (const place of this.#places(compiled, start, end)) {
      const log = this.#logs[place]
      if (log !== undefined && matchesLog(compiled, log)) yield log
    }
  }

  /** The places worth looking at: the shorter of the two indexes, or all of the range. */
  #places(filter: CompiledLogFilter, start: number, end: number): Iterable<number> {
    let best: ReadonlyArray<ReadonlyArray<number>> | undefined
    let bestSize = end - start
    for (const [index, accepted] of [
      [this.#byAddress, filter.addresses],
      [this.#byFirstTopic, filter.topics[0]],
    ] as const) {
      if (accepted === undefined) continue
      const lists = listsOf(index, accepted)
      const size = lists.reduce((total, list) => total + list.length, 0)
      // Lists cover the whole chain, so a short range may be cheaper to read through.
      if (size <= bestSize) {
        best = lists
        bestSize = size
      }
    }
    if (best === undefined) return range(start, end)
    const [only] = best
    if (best.length === 1 && only !== undefined) return slice(only, start, end)
    const places = best.flat().filter((place) => place >= start && place < end)
    return Uint32Array.from(places).toSorted()
  }
}

const listsOf = (
  index: ReadonlyMap<string, ReadonlyArray<number>>,
  accepted: ReadonlySet<string>,
): ReadonlyArray<ReadonlyArray<number>> => {
  const lists: Array<ReadonlyArray<number>> = []
  for (const value of accepted) {
    const list = index.get(value)
    if (list !== undefined) lists.push(list)
  }
  return lists
}

function* range(start: number, end: number): Generator<number, void> {
  for (let place = start; place < end; place++) yield place
}

/** The part of an ascending list from `start` up to, not including, `end`. */
function* slice(ascending: ReadonlyArray<number>, start: number, end: number): Generator<number, void> {
  for (let index = firstAbove(ascending, start - 1); index < ascending.length; index++) {
    const place = ascending[index]
    if (place === undefined || place >= end) return
    yield place
  }
}
