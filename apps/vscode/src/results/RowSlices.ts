/**
 * The rows of a result, drawn a slice at a time, each when it is asked for, so that a long result keeps nothing else waiting.
 *
 * Invariant: no slice has more than `longestChunk` rows, what rows are made from is read for those of the slice only, and
 * none depends on which were drawn before it.
 */
import { rowsOf } from "@dotrpc/report"
import { type ItemList, itemListOf, type Render, type RequestReport } from "@dotrpc/runner"
import { Json, Table } from "@dotrpc/spec"

import type { PayloadTable, RowSlice } from "./ResultPayload.ts"
import { renderOf } from "./cameBack.ts"
import { longestChunk } from "../run/chunks.ts"

export class RowSlices {
  readonly #draw: (...args: Parameters<Render>) => RowSlice
  readonly #summary: string
  readonly #total: number
  /** Absent where rows are made of something else than items, such as the fields of one receipt. */
  readonly #list: ItemList | undefined

  /** The rows of a report; `undefined` when it has none. Asked again, it gives the same slices. */
  static of(report: RequestReport): RowSlices | undefined {
    const { request } = report
    const render = renderOf(report)
    const result = report.result ?? report.partial?.result
    if (render === undefined || result === undefined) return undefined
    const known =
      slicesOf.get(report) ??
      new RowSlices(
        (...args) => rowsOf(render(...args), request.network),
        render(0),
        (total) => itemListOf(report, result, total),
      )
    slicesOf.set(report, known)
    return known
  }

  private constructor(
    draw: (...args: Parameters<Render>) => RowSlice,
    head: Table.Table,
    listOf: (total: number) => ItemList | undefined,
  ) {
    this.#draw = draw
    this.#summary = Table.summarize(head)
    this.#total = head.total
    this.#list = head.noun === undefined ? undefined : listOf(head.total)
  }

  /** The table with its first rows. */
  first(): PayloadTable {
    const slice = this.from(0)
    return { ...slice, summary: this.#summary, total: this.#list === undefined ? slice.rows.length : this.#total }
  }

  /** Whether the first slice has all rows. */
  get isWhole(): boolean {
    return this.#list === undefined
  }

  /** The rows from a position on, as many as a slice may have. */
  from(start: number): RowSlice {
    const list = this.#list
    if (list === undefined) return start === 0 ? this.#draw(Number.POSITIVE_INFINITY, undefined, whole) : noRows
    const items = list.items.slice(start, start + longestChunk)
    const drawn = items.length === 0 ? noRows : this.#draw(items.length, list.withItems(items), whole)
    return { ...drawn, items: items.map((item) => Json.stringify(item)) }
  }
}

/** Rows are filtered and copied as they are, so nothing in them is shortened. */
const whole = { whole: true }

const slicesOf = new WeakMap<RequestReport, RowSlices>()

const noRows: RowSlice = { columns: [], rows: [] }
