/** One public report of what a node answers, as a row: what is sent, what it answers, what a user sees. */
import type { Json } from "@dotrpc/spec"

/** What a node answers a call: a result, an error of JSON-RPC, or HTTP as it is. */
export type Answer =
  | { readonly result: Json.Json }
  | { readonly error: Json.Json }
  | { readonly http: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> } }

/** A call as the node sees it; `n` counts all calls of the run from 1. */
export interface Asked {
  readonly method: string
  readonly params: Json.Json
  readonly n: number
}

export interface Report {
  /** What was reported, as a sentence without a full stop. */
  readonly what: string
  /** The plugin of the network; `evm` where it is left out. */
  readonly plugin?: "evm" | "token-accounts" | "l2-events" | undefined
  /** More members of the network in `rpc.config.json`. */
  readonly network?: Json.JsonObject | undefined
  /** The text of the `.rpc` file, which goes to the network `node`; or arguments of the command instead of `run FILE --format json`. */
  readonly sent: string | ReadonlyArray<string>
  /** An answer for all calls, or one for each. A method that has none does not exist. */
  readonly answers: Answer | ((asked: Asked) => Answer | undefined)
  /** What the command does, with every request of its JSON report, if it writes one. */
  readonly expected: {
    readonly exitCode?: number | undefined
    readonly requests?: ReadonlyArray<object> | undefined
    readonly stdout?: RegExp | undefined
    readonly stderr?: RegExp | undefined
    /** Methods that were asked for, in order. */
    readonly asked?: ReadonlyArray<string> | undefined
  }
}
