/**
 * What a plugin makes of a result: its rows and what its bytes say. Functions of a plugin take results that fit its schema. Of any
 * other they get the usual form, and may throw all the same: then the result is shown as plain JSON.
 */
import {
  atOnce,
  type DecodeContext,
  inTurns,
  inUsualForm,
  type Json,
  labelledTable,
  labelOf,
  type ParamIssue,
  type Steps,
  Table,
} from "@dotrpc/spec"
import { Effect } from "effect"
import type { Render } from "../RunEvent.ts"
import type { Sendable } from "./execution.ts"
import type { FoundUnits } from "./units.ts"

export interface Drawing {
  /** Gets a long result ready, so that drawing it does not keep others waiting; whether it fits its schema. */
  readonly prepare: (result: Json.Json) => Effect.Effect<boolean>
  /** What the plugin's functions get: the part itself, or its usual form where it does not fit. */
  readonly readable: (part: Json.Json) => Json.Json
  /** Draws a result, or a part of it. May throw. */
  readonly drawn: (result: Json.Json) => Render
  /** The same for when nobody is there to catch. */
  readonly drawnSafely: (result: Json.Json) => Render
}

/** `mayMisfit` is false as long as every part is known to fit. */
export const makeDrawing = (
  execution: Sendable,
  known: DecodeContext,
  { found, mayMisfit }: { readonly found: () => FoundUnits; readonly mayMisfit: () => boolean },
): Drawing => {
  const { bound, method, network } = execution
  let ready: { readonly part: Json.Json; readonly usual: Json.Json } | undefined
  const fits = (part: Json.Json) => !mayMisfit() || method.resultIssue(part) === undefined
  const readable = (part: Json.Json): Json.Json => {
    if (part === ready?.part) return ready.usual
    return fits(part) ? part : atOnce(inUsualForm(method.result, part))
  }
  const drawn =
    (result: Json.Json): Render =>
    (limit, part = result, { plain, whole } = {}) => {
      const { units } = found()
      const table = method.render(readable(part), limit, {
        ...execution.shown,
        ...known,
        ...(part === result ? {} : { all: result === ready?.part ? ready.usual : result }),
        network,
        blockTime: execution.blockTimes.timeOf(network),
        label: (address) => labelOf(network, address),
        whole,
        ...(plain === true || units === undefined ? {} : { units }),
      })
      return whole === true ? table : labelledTable(table, network)
    }
  return {
    prepare: Effect.fnUntraced(function* (result) {
      const issue = mayMisfit() ? yield* inTurns(() => findingIssue(execution, result)) : undefined
      const usual = issue === undefined ? result : yield* inTurns(() => inUsualForm(method.result, result))
      ready = { part: result, usual }
      return issue === undefined
    }),
    readable,
    drawn,
    drawnSafely:
      (result) =>
      (limit, part = result, options = {}) => {
        try {
          return drawn(result)(limit, part, options)
        } catch (defect) {
          const words = fits(part) ? execution.wordsOf(defect, bound.secrets) : withoutRows
          return { ...Table.tableOf(part, limit, options), notes: [words] }
        }
      },
  }
}

const withoutRows = "its form is unusual, so it is shown as JSON"

function* findingIssue({ method }: Sendable, result: Json.Json): Steps<ParamIssue | undefined> {
  return method.findingResultIssue === undefined ? method.resultIssue(result) : yield* method.findingResultIssue(result)
}
