/** One thing as rows of its members: a name, a value, and where known a page about it. */
import { explorerPage, type RenderContext, type Table } from "@dotrpc/spec"

export interface Field {
  readonly name: string
  readonly value: string
  /** Path of its page in an explorer. */
  readonly page?: readonly [kind: string, id: string] | undefined
}

/** The fields, then one row for each of `items` that still fits. */
export const fieldTable = <Item>(
  fields: ReadonlyArray<Field>,
  headline: string,
  limit: number,
  { network }: RenderContext,
  items: ReadonlyArray<Item> = [],
  show: (item: Item, index: number) => Field = () => ({ name: "", value: "" }),
): Table.Table => {
  const rest = items.slice(0, Math.max(0, limit - fields.length)).map(show)
  const shown = [...fields.slice(0, limit), ...rest]
  return {
    total: fields.length + items.length,
    columns: [{ name: "field" }, { name: "value" }],
    rows: shown.map(({ name, value }) => [name, value]),
    links:
      network?.explorer === undefined
        ? undefined
        : shown.map(({ page }) => [undefined, page && explorerPage(network, ...page)]),
    headline,
  }
}

/** A field that is left out where there is nothing to show. */
export const fieldOf = <Value>(
  name: string,
  value: Value | null | undefined,
  show: (value: Value) => string,
  page?: (value: Value) => readonly [kind: string, id: string],
): ReadonlyArray<Field> =>
  value === null || value === undefined ? [] : [{ name, value: show(value), page: page?.(value) }]
