/** Messages between the extension and the page of a result pane: plain data, in which numbers of results are text. */
import type { ColumnsMessage } from "../results/ColumnChoice.ts"
import type { NamesMessage } from "../names/KeptNames.ts"
import type { RendererMessage, ResultPayload, RowsMessage } from "../results/ResultPayload.ts"
import type { Timeline } from "../run/Timeline.ts"
import type { LineDiff } from "./lineDiff.ts"

/** A request and one of its results, as a pane shows them. */
export interface PaneContent {
  /** Identifies the request; the page asks for it by this key. */
  readonly key: string
  /** It has the id of the result. */
  readonly payload: ResultPayload
  readonly timeline?: Timeline | undefined
  /** What the request is doing, in words; absent while it is not running. */
  readonly activity?: string | undefined
  /** The pane stays with this request, and keeps the pinned result to compare with. */
  readonly pinned: boolean
  /** Other results of the request, to compare with. */
  readonly others: ReadonlyArray<{ readonly id: number; readonly title: string }>
  /** The origin of this result, when it is from an earlier window. */
  readonly kept?: string | undefined
  /** Other requests with results, the latest first; empty in a pane of one request. */
  readonly requests: ReadonlyArray<{ readonly key: string; readonly label: string }>
  /** Whether the pane is an editor of its own. */
  readonly isBeside: boolean
}

/** The lines that two results are compared by: their rows as they are read, or their JSON. */
export type DiffKind = "rows" | "json"

/** The differences of two results. */
export interface DiffMessage {
  readonly kind: "diff"
  readonly id: number
  readonly other: number
  /** What was asked for. */
  readonly asked: DiffKind
  /** What was compared: the JSON too if the rows have nothing decoded, or look the same. */
  readonly as: DiffKind
  readonly isDecoded: boolean
  readonly diff: LineDiff
}

/** To the page. */
export type PaneMessage =
  | { readonly kind: "content"; readonly content: PaneContent }
  | { readonly kind: "nothing" }
  | ColumnsMessage
  | NamesMessage
  | RowsMessage
  | { readonly kind: "json"; readonly id: number; readonly text: string; readonly isWhole: boolean }
  | DiffMessage

/** From the page. */
export type PaneRequest =
  | RendererMessage
  /** Asks for content; `key` names the request that the page showed before the window was reloaded. */
  | { readonly kind: "started"; readonly key?: string | undefined }
  | { readonly kind: "json"; readonly id: number }
  | { readonly kind: "diff"; readonly id: number; readonly other: number; readonly as: DiffKind }
  | { readonly kind: "compare"; readonly id: number; readonly other: number }
  | { readonly kind: "choose"; readonly key: string }
  | { readonly kind: "run" | "stop" | "pin" | "beside" | "curl" | "export" }
