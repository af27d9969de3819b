/** Token accounts as rows for a person. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { hex } from "@scure/base"
import type { AccountList, TokenAccountEntry } from "../AccountList.ts"
import { decodeData } from "../DecodeData.ts"
import { decodeEntry } from "../DecodeEntry.ts"
import { DecodeError } from "../DecodeError.ts"
import { showAmount } from "./amounts.ts"

export const render = (list: AccountList, limit: number, { network }: RenderContext): Table.Table => {
  const entries = list.value.slice(0, limit)
  const rows = entries.map(readRow)
  const shown = columns.filter((column) => column.always === true || rows.some((row) => row[column.name] !== undefined))
  return {
    noun: ["token account", "token accounts"],
    total: list.value.length,
    columns: shown.map(({ align, name, rank }) => ({
      name,
      align,
      rank,
    })),
    rows: rows.map((row) => shown.map((column) => row[column.name] ?? "")),
    links:
      network?.explorer === undefined
        ? undefined
        : entries.map((entry) => [explorerPage(network, "address", entry.pubkey)]),
    ...(rows.some((row) => row.part !== undefined) ? { notes: [cut] } : {}),
  }
}

const cut = "dataSlice has cut the data: ask without it to see the accounts decoded"

interface RowColumn extends Table.Column {
  readonly name: keyof Row
  /** Also when no row has something in it. */
  readonly always?: boolean
}

interface Row {
  readonly account: string
  readonly mint?: string
  readonly owner?: string
  readonly amount?: string
  readonly delegated?: string
  readonly state?: string
  readonly extensions?: string | undefined
  readonly part?: string
  readonly problem?: string
}

const columns: ReadonlyArray<RowColumn> = [
  { name: "account", always: true },
  { name: "mint", always: true },
  { name: "owner", always: true },
  { name: "amount", align: "right", always: true },
  { name: "delegated", align: "right", always: true },
  { name: "state", always: true },
  { name: "extensions", rank: 1 },
  { name: "part", rank: 2 },
  { name: "problem", rank: 3 },
]

const readRow = (entry: TokenAccountEntry): Row => {
  const account = entry.pubkey
  try {
    const { info } = decodeEntry(entry).parsed
    return {
      account,
      mint: Table.shorten(info.mint),
      owner: Table.shorten(info.owner),
      amount: showAmount(info.tokenAmount),
      delegated: showAmount(info.delegatedAmount),
      state: info.state,
      extensions: info.extensions?.map(({ extension }) => extension).join(", "),
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return error.reason === "partial" ? { account, part: showPart(entry) } : { account, problem: error.message }
  }
}

/** The bytes that came, and how many there are: `8 of 165 bytes, 0x4f1c000000000000`. */
const showPart = ({ account: { data, space } }: TokenAccountEntry): string => {
  const bytes = typeof data === "object" && "parsed" in data ? new Uint8Array() : decodeData(data)
  return `${bytes.length} of ${space ?? "?"} bytes, ${Table.shorten(`0x${hex.encode(bytes)}`, 18, 8)}`
}
