/**
 * Brings the rows of a long table into the page a slice at a time: the next one is asked for when the one before it has
 * been drawn, so that neither the page nor the extension host is kept busy for long.
 */
import type { PayloadTable, RendererMessage, RowsMessage } from "../results/ResultPayload.ts"
import { joinSlices } from "../results/joinSlices.ts"

export interface RowLoaderEvents {
  readonly ask: (message: RendererMessage & { readonly kind: "rows" }) => void
  /** More rows are there; the table is another one, with all of them. */
  readonly take: (table: PayloadTable) => void
  /** Every row is there. */
  readonly complete: (table: PayloadTable) => void
  /** The others cannot be had any more. */
  readonly gone: () => void
}

export class RowLoader {
  readonly #id: number
  readonly #events: RowLoaderEvents
  #table: PayloadTable

  /** @param table with its first rows */
  constructor(id: number, table: PayloadTable, events: RowLoaderEvents) {
    this.#id = id
    this.#table = table
    this.#events = events
    this.#next()
  }

  /** Takes the rows that follow those that are there; what was asked for by others is theirs. */
  readonly receive = (message: RowsMessage): void => {
    const table = this.#table
    if (message.id !== this.#id || message.from !== table.rows.length || message.from >= table.total) return
    if (message.rows.length === 0) return this.#events.gone()
    this.#table = { ...table, ...joinSlices(table, message) }
    this.#events.take(this.#table)
    this.#next()
  }

  #next(): void {
    const { rows, total } = this.#table
    if (rows.length < total) this.#events.ask({ kind: "rows", id: this.#id, from: rows.length })
    else this.#events.complete(this.#table)
  }
}
