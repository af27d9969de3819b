/**
 * Events of a layer-2 network (service §4.6).
 *
 * @example
 * ```ts
 * const first = L2Events.scanEvents({
 *   from_block: { block_number: 0 },
 *   to_block: "latest",
 *   keys: [[L2Events.selector("Transfer")]],
 *   chunk_size: 100,
 * }).pipe(Stream.take(10), Stream.runCollect)
 * ```
 */
import { definePlugin } from "@dotrpc/spec"
import { GetEvents } from "./GetEvents.ts"
import { eventFunction, selectorFunction } from "./internal/functions.ts"
import { networks } from "./internal/networks.ts"

export type { BlockId, EventFilter, EventParams } from "./EventFilter.ts"
export type { EmittedEvent, EventPage } from "./EventPage.ts"
export { feltProblem, feltValue, sameFelt, starkPrime } from "./Felt.ts"
export { GetEvents } from "./GetEvents.ts"
export { getEvents, scanEvents, scanRange } from "./ScanEvents.ts"
export { selector } from "./Selector.ts"

/** The plugin value: what an app registers. */
export const plugin = definePlugin({
  id: "l2-events",
  title: "Layer-2 events",
  docs: 'Events of a layer-2 network, filtered by contract and keys, a page at a time. The network\'s `methodWord` names the family on the wire: with `"starknet"`, `l2_getEvents` is sent as `starknet_getEvents`.',
  methods: [GetEvents],
  functions: [selectorFunction, eventFunction],
  networks,
})
