/** The content of the notebook's outputs, and the messages between the extension and their renderer. */
import type { Rows } from "@dotrpc/report"

import type { NamesMessage } from "../names/KeptNames.ts"
import type { ColumnsMessage } from "./ColumnChoice.ts"

/** The type of outputs; the manifest names it too. */
export const resultMime = "application/vnd.dotrpc.result+json"

export const rendererId = "dotrpc.result"

export interface ResultPayload {
  readonly id: number
  readonly label: string
  readonly method: string
  readonly network?: string | undefined
  readonly environment?: string | undefined
  /** It succeeded, and everything expected of it held. */
  readonly good: boolean
  /** One line: rows, time, credits, checks. */
  readonly summary: string
  /** The same without the words of `error`, which stand below it. */
  readonly outcome?: string | undefined
  readonly credits: number
  /** What was charged in words, `510 credits`, or in the unit of the network's price sheet. */
  readonly charge?: string | undefined
  readonly table?: PayloadTable | undefined
  /** The whole result as JSON text, where rows have no items. */
  readonly json?: string | undefined
  readonly note?: string | undefined
  /** Whether another network gave the same result, in words, and where it differs. */
  readonly comparison?: string | undefined
  readonly checks: ReadonlyArray<{
    readonly text: string
    readonly ok: boolean
    /** It was not checked, because no result came. */
    readonly skipped?: true | undefined
    readonly problem?: string | undefined
    readonly actual?: string | undefined
  }>
  readonly error?:
    | { readonly message: string; readonly advice?: string | undefined; readonly code?: number | undefined }
    | undefined
  /** A limit refused it, which a click can lift for one run. */
  readonly canAllowOnce?: true | undefined
  /** It was stopped or failed in the middle, and can be resumed there. */
  readonly canResume?: true | undefined
  /** The run before it brought something too. */
  readonly canCompare?: true | undefined
  /** What was read before it failed or was stopped, in words. */
  readonly partialWords?: string | undefined
  /** The service for names of accounts on its network, and the key of those that are known. */
  readonly names?: { readonly title: string; readonly key: string } | undefined
  /** More is still coming. */
  readonly partial?: true | undefined
}

/** As much of a result of an earlier window as lines, threads and cells show. */
export interface KeptView {
  /** Of the run in the list of runs; absent where that is not kept. */
  readonly runId?: string | undefined
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  readonly payload: ResultPayload
  /** The JSON text of the result, or of its beginning; absent without a result. */
  readonly json?: (() => Iterable<string>) | undefined
}

export interface PayloadTable extends RowSlice {
  /** `1,204 logs` */
  readonly summary: string
  /** How many rows there are. Those that are missing are asked for, a slice at a time. */
  readonly total: number
}

/** Rows that are shown, with what each was made from. */
export interface RowSlice extends Rows {
  /** JSON text of what each row was made from. */
  readonly items?: ReadonlyArray<string> | undefined
}

/** The commands that buttons and keys of a result run on its request, in a cell as in a pane. */
export const resultCommands = {
  allowOnce: "dotrpc.allowOnce",
  comparePrevious: "dotrpc.compareResult",
  lookUpNames: "dotrpc.lookUpNames",
  open: "dotrpc.openResult",
  pinInPane: "dotrpc.pinResult",
  resume: "dotrpc.resume",
  runAgain: "dotrpc.run",
  save: "dotrpc.saveResult",
} as const

/** What a person asked for in an output. */
export type RendererMessage =
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: keyof typeof resultCommands; readonly id: number }
  | { readonly kind: "rows"; readonly id: number; readonly from: number }
  | { readonly kind: "picture"; readonly name: string; readonly format: "svg" | "png"; readonly content: string }
  | ColumnsMessage
  | { readonly kind: "ready" }

/** Messages to the outputs of a notebook. */
export type OutputMessage = ColumnsMessage | NamesMessage | SpendingMessage | RowsMessage

/** The rows of a result that were asked for; none when it is gone. */
export interface RowsMessage extends RowSlice {
  readonly kind: "rows"
  readonly id: number
  readonly from: number
}

/** What the cells of the notebook have cost, in their order. */
export interface SpendingMessage {
  readonly kind: "spending"
  readonly cells: ReadonlyArray<{ readonly label: string; readonly credits: number }>
}
