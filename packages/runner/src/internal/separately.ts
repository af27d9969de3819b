/** Why calls that may become one were made one by one: a sentence for the report of the first of their requests. */
import { mostTogether } from "@dotrpc/analysis"
import type { CallObserver } from "@dotrpc/core"

/** Of requests that go together, or of one by itself with all of its rows. */
export interface Separately {
  /** Listens as well as the other one. */
  readonly observer: (other: CallObserver | undefined) => CallObserver
  /** `50 calls instead of 1: the network has no Multicall contract at 0xca11…`; nothing where a single call was made. */
  readonly notes: () => ReadonlyArray<string>
}

export const makeSeparately = (): Separately => {
  const calls = new Map<string, number>()
  return {
    observer: (other) => ({
      onAttempt: () => {},
      onWait: () => {},
      ...other,
      onSeparate: (separate, call) => {
        calls.set(separate.why, (calls.get(separate.why) ?? 0) + separate.calls)
        other?.onSeparate?.(separate, call)
      },
    }),
    notes: () =>
      [...calls].flatMap(([why, count]) =>
        count < 2 ? [] : [`${count} calls instead of ${Math.ceil(count / mostTogether)}: ${why}`],
      ),
  }
}
