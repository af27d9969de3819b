/**
 * The calls of a link that were sent and have not ended.
 *
 * Invariant: each call ends once, by whatever ends it first: its reply, the loss of its socket, or its caller. No id is
 * given twice, so that a late reply never ends another call.
 */

export interface OpenCalls<Call> {
  /** An id that no call had before. */
  readonly nextId: () => number
  /** Takes a call in, by an id of its own. */
  readonly begin: (id: number, call: Call) => void
  readonly get: (id: number) => Call | undefined
  /** Ends a call; `undefined` when it has ended before, or never was. */
  readonly end: (id: number) => Call | undefined
  /** Whether a call was sent by this id, however long ago. */
  readonly wasSent: (id: number) => boolean
  /** The ids of those that are open now, in the order they were sent. Calls that begin later are not among them. */
  readonly ids: () => ReadonlyArray<number>
  /** As {@link ids}, one after the other. */
  readonly inOrder: () => Iterable<number>
  /** The highest id that a call was given; 0 before the first. */
  readonly lastId: () => number
  readonly isEmpty: () => boolean
}

export const makeOpenCalls = <Call>(): OpenCalls<Call> => {
  const calls = new Map<number, Call>()
  let lastId = 0
  return {
    nextId: () => ++lastId,
    begin: (id, call) => void calls.set(id, call),
    get: (id) => calls.get(id),
    end: (id) => {
      const call = calls.get(id)
      calls.delete(id)
      return call
    },
    wasSent: (id) => Number.isInteger(id) && id > 0 && id <= lastId,
    ids: () => [...calls.keys()],
    inOrder: () => calls.keys(),
    lastId: () => lastId,
    isEmpty: () => calls.size === 0,
  }
}
