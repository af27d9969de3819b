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
    readonly problem?: string
    readonly actual?: string
  }>
  readonly error?: { readonly message: string; readonly advice?: string; readonly code?: number }
  /** More is still coming. */
  readonly partial?: true
}

export interface PayloadTable {
  /** `1,204 logs` */
  readonly summary: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly numeric: boolean }>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** JSON text of what each row was made from. */
  readonly items?: ReadonlyArray<string>
}

/** What a person asked for in an output. */
export type RendererMessage =
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "open" | "save"; readonly id: number }
  | { readonly kind: "ready" }

/** What the cells of the notebook have cost, in their order. */
export interface SpendingMessage {
  readonly kind: "spending"
  readonly cells: ReadonlyArray<{ readonly label: string; readonly credits: number }>
}
