/** The columns of a method's items before any item is known, for files that are written as items arrive. */
import { type ColumnsContext, type ItemColumns, Json, type Method } from "@dotrpc/spec"

/**
 * The columns that the method declares; for a method that declares none, one column `item` with each item as JSON. Never throws.
 *
 * @example
 * ```ts
 * const getLogs = Evm.plugin.methods.find(({ name }) => name === "eth_getLogs") ?? {}
 * const { columns, row } = columnsOf(getLogs, { params: [filter] })
 * ```
 */
export const columnsOf = (method: Pick<Method, "columns">, context: ColumnsContext): ItemColumns =>
  method.columns?.(context) ?? {
    columns: [{ name: "item", type: "json" }],
    row: (item) => [Json.stringify(item)],
  }
