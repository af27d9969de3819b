/** Token accounts as rows for a person. */
import { explorerPage, type RenderContext, Table } from "@dotrpc/spec"
import { hex } from "@scure/base"
import type { AccountList, TokenAccountEntry } from "../AccountList.ts"
import { decodeData } from "../DecodeData.ts"
import { decodeEntry } from "../DecodeEntry.ts"
import { DecodeError } from "../DecodeError.ts"
import { largestShown } from "./accountRows.ts"
import { showAmount } from "./amounts.ts"

export const render = (list: AccountList, limit: number, context: RenderContext): Table.Table => {
  const { network } = context
  const shorten = Table.shortening(context)
  const entries = list.value.slice(0, limit)
  const rows = entries.map((entry) => readRow(entry, shorten))
  const shown = columns.filter((column) => column.always === true || rows.some((row) => row[column.name] !== undefined))
  return {
    noun: ["token account", "token accounts"],
    total: list.value.length,
    columns: shown.map(({ align, decoded, name, rank }) => ({
      name,
      align,
      decoded,
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
  { name: "mint", always: true, decoded: true },
  { name: "owner", always: true, decoded: true },
  { name: "amount", align: "right", always: true, decoded: true },
  { name: "delegated", align: "right", always: true, decoded: true },
  { name: "state", always: true, decoded: true },
  { name: "extensions", rank: 1, decoded: true },
  { name: "part", rank: 2 },
  { name: "problem", rank: 3 },
]

const readRow = (entry: TokenAccountEntry, shorten: typeof Table.shorten): Row => {
  const account = entry.pubkey
  try {
    const { info } = decodeEntry(entry, { largest: largestShown }).parsed
    return {
      account,
      mint: shorten(info.mint),
      owner: shorten(info.owner),
      amount: showAmount(info.tokenAmount),
      delegated: showAmount(info.delegatedAmount),
      state: info.state ?? "",
      extensions: info.extensions?.map(({ extension }) => extension).join(", "),
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return error.reason === "partial"
      ? { account, part: showPart(entry, shorten) }
      : { account, problem: error.message }
  }
}

/** The bytes that came, and how many there are: `8 of 165 bytes, 0x4f1c000000000000`. */
const showPart = ({ account: { data, space } }: TokenAccountEntry, shorten: typeof Table.shorten): string => {
  const bytes = typeof data === "object" && "parsed" in data ? new Uint8Array() : decodeData(data, largestShown)
  return `${bytes.length} of ${space ?? "?"} bytes, ${shorten(`0x${hex.encode(bytes)}`, 18, 8)}`
}
