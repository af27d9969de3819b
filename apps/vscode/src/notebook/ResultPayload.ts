/** What the notebook's outputs hold, and what is said between the extension and their renderer. */

/** The type of outputs; the manifest names it too. */
export const resultMime = "application/vnd.dotrpc.result+json"

export const rendererId = "dotrpc.result"

export interface ResultPayload {
  readonly id: number
  readonly label: string
  readonly method: string
  readonly network?: string
  readonly environment?: string
  /** It succeeded, and everything expected of it held. */
  readonly good: boolean
  /** One line: rows, time, credits, checks. */
  readonly summary: string
  readonly credits: number
  readonly table?: PayloadTable
  /** The whole result as JSON text, where rows have no items. */
  readonly json?: string
  readonly note?: string
  readonly checks: ReadonlyArray<{
    readonly text: string
    readonly ok: boolean
    /** It was not checked, because no result came. */
    readonly skipped?: true
    readonly problem?: string
    readonly actual?: string
  }>
  readonly error?: { readonly message: string; readonly advice?: string; readonly code?: number }
  /** A limit refused it, which a click can lift for one run. */
  readonly canAllowOnce?: true
  /** More is still coming. */
  readonly partial?: true
}

export interface PayloadTable extends RowSlice {
  /** `1,204 logs` */
  readonly summary: string
  /** How many rows there are. Those that are missing are asked for, a slice at a time. */
  readonly total: number
}

/** Some rows of a table, one behind the other. */
export interface RowSlice {
  /** Those that these rows have something in; other rows may have others. */
  readonly columns: ReadonlyArray<PayloadColumn>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** JSON text of what each row was made from. */
  readonly items?: ReadonlyArray<string>
}

export interface PayloadColumn {
  readonly name: string
  readonly numeric: boolean
  /** Columns of a lower rank stand first; 0 unless told. */
  readonly rank?: number
}

/** What a person asked for in an output. */
export type RendererMessage =
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "open" | "save" | "allowOnce"; readonly id: number }
  | { readonly kind: "rows"; readonly id: number; readonly from: number }
  | { readonly kind: "ready" }

/** What is told to the outputs of a notebook. */
export type OutputMessage = SpendingMessage | RowsMessage

/** What is told to a page that shows one result. */
export type PageMessage = { readonly kind: "result"; readonly payload: ResultPayload } | RowsMessage

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
