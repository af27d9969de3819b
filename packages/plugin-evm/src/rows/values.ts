/** Results that are a single value, in words. */
import { explorerPage, type Json, type RenderContext, Table } from "@dotrpc/spec"
import { quantity } from "../convert.ts"
import type { Address, Data, Hash, Quantity } from "../schemas/Hex.ts"
import { showBlockNumber, showEther, showGwei } from "./amount.ts"

/** One value, without a table. */
export const inWords = (headline: string): Table.Table => ({ total: 1, columns: [], rows: [], headline })

const table = (rows: ReadonlyArray<readonly [string, string]>, limit: number, headline: string): Table.Table => ({
  total: rows.length,
  columns: [{ name: "as" }, { name: "value" }],
  rows: rows.slice(0, limit).map((row) => [...row]),
  headline,
})

/** `436 · 0x1b4` */
export const renderNumber = (value: Quantity): Table.Table =>
  inWords(`${Table.groupDigits(quantity(value))} · ${showBlockNumber(value).split(" · ")[1] ?? value}`)

/** A number of things that may not exist: `null` for an unknown block. */
export const renderCount =
  (one: string, many: string) =>
  (value: Quantity | null): Table.Table => {
    if (value === null) return inWords("unknown block")
    const count = quantity(value)
    return inWords(`${Table.groupDigits(count)} ${count === 1n ? one : many}`)
  }

/** A balance in ether, with its wei. */
export const renderBalance = (wei: Quantity, limit: number): Table.Table => {
  const amount = quantity(wei)
  const rows = [
    ["ether", showEther(amount)],
    ["wei", Table.groupDigits(amount)],
    ["hex", wei],
  ] as const
  return table(rows, limit, showEther(amount))
}

/** A price of gas. */
export const renderGasPrice = (wei: Quantity): Table.Table => inWords(`${showGwei(wei)} · ${wei}`)

/** Code, or other bytes: how many there are, and how they begin. */
export const renderData = (data: Data): Table.Table => {
  const bytes = (data.length - 2) / 2
  if (bytes === 0) return inWords("0 bytes")
  return inWords(`${Table.groupDigits(bytes)} ${bytes === 1 ? "byte" : "bytes"} · ${Table.shorten(data, 34, 16)}`)
}

/** The code of an account: one without any is not a contract. */
export const renderCode = (data: Data): Table.Table =>
  data === "0x" ? inWords("no code: not a contract") : renderData(data)

/** Hashes or addresses, one below the other, linked where the explorer is known. */
export const renderList =
  (noun: readonly [string, string], kind?: "tx" | "address" | "block") =>
  (values: ReadonlyArray<Hash | Address | Data>, limit: number, context: RenderContext): Table.Table => {
    const { network } = context
    const shorten = Table.shortening(context)
    const rows = values.slice(0, limit)
    return {
      noun,
      total: values.length,
      columns: [{ name: noun[0] }],
      rows: rows.map((value) => [shorten(value, 80, 16)]),
      links:
        kind === undefined || network?.explorer === undefined
          ? undefined
          : rows.map((value) => [explorerPage(network, kind, value)]),
    }
  }

/** Whatever a node answers, as its members. */
export const renderJson = (value: Json.Json, limit: number, context: RenderContext): Table.Table =>
  Table.tableOf(value, limit, context)
