/** A ledger among texts that a program keeps for itself, such as the state of an editor in a browser. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { Options, RpcReason } from "@dotrpc/spec"
import type { Cell } from "./cell.ts"
import { sharedNames, type SharedOptions } from "./lease.ts"
import type { CreditLedger } from "./Ledger.ts"
import { layerOver } from "./opened.ts"
import { storeOver } from "./store.ts"
import { checkWindow, eachDay } from "./window.ts"

/** Texts by their names, as VS Code's `Memento` has them. What was given to `update` is what `get` gives from then on. */
export interface Texts {
  readonly get: (name: string) => string | undefined
  readonly update: (name: string, text: string) => PromiseLike<void>
}

/** Where a ledger is among the texts. */
export interface TextsOptions extends SharedOptions {
  /** What the names of its texts begin with; `dotrpc` by default. */
  readonly prefix?: string | undefined
}

/**
 * A ledger that outlives the program where its texts do. Programs that have the same texts, and each a copy of them, such as
 * two windows in a browser, do not count for each other.
 *
 * Errors: every operation fails with `LedgerUnavailable` while its text is damaged or cannot be kept. The layer fails with
 * `InvalidOptions` on amounts that make no sense.
 *
 * @example
 * ```ts
 * const ledger = CreditLedger.layerTexts(context.workspaceState, { daily: 3_000_000 })
 * ```
 */
export const layerTexts = (
  texts: Texts,
  options: TextsOptions = {},
): Layer.Layer<CreditLedger, Options.InvalidOptions> => {
  const { prefix = "dotrpc", ...shared } = options
  return layerOver(shared, () => {
    const { window = eachDay } = Options.members(shared, sharedNames)
    const cell = (part: string) => cellIn(texts, `${prefix}:${part}`)
    return Effect.succeed(storeOver({ ledger: cell("ledger"), pace: cell("pace") }, checkWindow(window)))
  })
}

/** Nothing else runs between reading and replacing a text. */
const cellIn = (texts: Texts, name: string): Cell => ({
  name: `the credit ledger ${name}`,
  repair: 'Remove the text, or count in memory: set "ledger" to "memory" in rpc.config.json.',
  update: (change) =>
    Effect.suspend(() => {
      const { answer, text } = change({ text: texts.get(name), now: Date.now() })
      if (text === undefined) return Effect.succeed(answer)
      return Effect.as(
        Effect.tryPromise({
          try: () => Promise.resolve(texts.update(name, text)),
          catch: () => new RpcReason.LedgerUnavailable({ why: `${name} cannot be kept`, advice, retryable: true }),
        }),
        answer,
      )
    }),
  close: Effect.void,
})

const advice = "Free some of the storage that the program has, and try again."
