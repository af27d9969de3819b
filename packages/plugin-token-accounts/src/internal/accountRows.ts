/** Accounts of any program as rows for a person. */
import { explorerPage, Json, type RenderContext, Table } from "@dotrpc/spec"
import { hex } from "@scure/base"
import type { AccountInfo } from "../AccountInfo.ts"
import type { TokenAmount } from "../AccountList.ts"
import { decodeData } from "../DecodeData.ts"
import { DecodeError } from "../DecodeError.ts"
import { decodeTokenData } from "../DecodeTokenData.ts"
import { uiAmountString } from "../UiAmount.ts"
import { inSol, showAmount } from "./amounts.ts"

/** An account, or null where there is none. Its key is known in lists that name it. */
export interface Listed {
  readonly pubkey?: string
  readonly account: AccountInfo | null
}

/** A row for each of the accounts, at most `limit`; without a key it is counted by its place in the params. */
export const accountTable = (accounts: ReadonlyArray<Listed>, limit: number, context: RenderContext): Table.Table => {
  const { network } = context
  const shown = accounts.slice(0, limit)
  const rows = shown.map(({ account, pubkey }, index): Row => ({
    account: pubkey ?? String(index),
    ...(account === null ? { kind: "none" } : readAccount(account, context)),
  }))
  const columns = allColumns.filter(
    ({ always, name }) => always === true || rows.some((row) => row[name] !== undefined),
  )
  const hasLinks = network?.explorer !== undefined && shown.some(({ pubkey }) => pubkey !== undefined)
  return {
    noun: ["account", "accounts"],
    total: accounts.length,
    columns: columns.map(({ align, name, rank }) => ({ name, align, rank })),
    rows: rows.map((row) => columns.map(({ name }) => row[name] ?? "")),
    links: hasLinks
      ? shown.map(({ pubkey }) => [pubkey === undefined ? undefined : explorerPage(network, "address", pubkey)])
      : undefined,
  }
}

/** One account in words: `mint of spl-token · 6 decimals · 0.0014616 SOL`. */
export const accountHeadline = (account: AccountInfo | null): string => {
  if (account === null) return "no account"
  const { kind, mint, owner, amount, problem, data } = readAccount(account, {})
  const parts = [
    kind,
    mint === undefined ? undefined : `of ${mint}`,
    owner === undefined ? undefined : `owner ${owner}`,
  ]
  return [...parts, amount, data, problem, inSol(account.lamports)].filter((part) => part !== undefined).join(" · ")
}

interface Row {
  readonly account: string
  readonly kind?: string
  readonly program?: string
  readonly mint?: string
  readonly owner?: string
  readonly amount?: string
  readonly balance?: string
  readonly data?: string
  readonly problem?: string
}

interface RowColumn extends Table.Column {
  readonly name: keyof Row
  readonly always?: boolean
}

const allColumns: ReadonlyArray<RowColumn> = [
  { name: "account", always: true },
  { name: "kind", always: true },
  { name: "program", always: true },
  { name: "balance", align: "right", always: true },
  { name: "mint", rank: 1 },
  { name: "owner", rank: 1 },
  { name: "amount", align: "right", rank: 1 },
  { name: "data", rank: 2 },
  { name: "problem", rank: 3 },
]

/**
 * Compressed data is unpacked for a row up to this size, far more than any token account has: a kilobyte can unpack to
 * the largest account, and a table has hundreds of rows. A row that is asked for whole has all of it.
 */
export const largestShown = 262_144

const readAccount = (account: AccountInfo, context: RenderContext): Omit<Row, "account"> => {
  const shorten = Table.shortening(context)
  const largest = context.whole === true ? undefined : largestShown
  const base = { program: shorten(account.owner), balance: inSol(account.lamports) }
  try {
    const kind = account.executable ? "program" : "data"
    if (largest !== undefined && isCompressed(account) && Number(account.space) > largest)
      return { ...base, kind, data: `${account.space} bytes` }
    const decoded = decodeTokenData(account, { largest })
    if (decoded === undefined) return { ...base, kind, data: showBytes(account, shorten, largest) }
    const { parsed, program } = decoded
    return { ...base, kind: `${parsed.type} of ${program}`, ...readInfo(parsed.type, parsed.info, shorten) }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return error.reason === "partial"
      ? { ...base, kind: "part", data: showBytes(account, shorten, largest) }
      : { ...base, kind: "data", problem: error.message }
  }
}

const isCompressed = ({ data }: AccountInfo): boolean => Array.isArray(data) && data[1] === "base64+zstd"

/** What is read of parsed data, which each program shapes as it likes. */
const readInfo = (
  type: string,
  info: unknown,
  shorten: typeof Table.shorten,
): Pick<Row, "mint" | "owner" | "amount"> => {
  if (!isRecord(info)) return {}
  if (type === "mint") {
    const { decimals, extensions, supply } = info
    if (typeof supply !== "string" || !/^\d{1,20}$/.test(supply) || !isDecimals(decimals)) return {}
    const raw = { amount: supply, decimals }
    const amount = hasMultiplier(extensions)
      ? raw
      : { ...raw, uiAmountString: uiAmountString(BigInt(supply), decimals) }
    return { amount: `${showAmount(amount)} in total` }
  }
  const { mint, owner, tokenAmount } = info
  return {
    ...(typeof mint === "string" ? { mint: shorten(mint) } : {}),
    ...(typeof owner === "string" ? { owner: shorten(owner) } : {}),
    ...(isAmount(tokenAmount) ? { amount: showAmount(tokenAmount) } : {}),
  }
}

/** Whether people see another number than the supply with the point in its place: only the node knows it. */
const hasMultiplier = (extensions: unknown): boolean =>
  Array.isArray(extensions) &&
  extensions.some((each: unknown) => {
    if (!isRecord(each)) return true
    const { extension, state } = each
    if (extension === "unknown") return !isRecord(state) || multiplierTypes.has(state.type)
    return multipliers.has(extension)
  })

const multipliers = new Set<unknown>(["interestBearingConfig", "scaledUiAmountConfig", "unparseableExtension"])

/** Their types in bytes. */
const multiplierTypes = new Set<unknown>([10, 25])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => Json.isObject(value as Json.Json)

const isDecimals = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255

const isAmount = (value: unknown): value is TokenAmount =>
  isRecord(value) &&
  typeof value.amount === "string" &&
  (value.uiAmountString === undefined || value.uiAmountString === null || typeof value.uiAmountString === "string")

/** The bytes that came, and how many there are: `8 of 165 bytes, 0x4f1c000000000000`. */
const showBytes = (
  { data, space }: AccountInfo,
  shorten: typeof Table.shorten,
  largest: number | undefined,
): string => {
  if (typeof data === "object" && "parsed" in data) return ""
  const bytes = decodeData(data, largest)
  const size =
    space === undefined || space === null || Number(space) === bytes.length
      ? `${bytes.length} bytes`
      : `${bytes.length} of ${space} bytes`
  return bytes.length === 0 ? size : `${size}, ${shorten(`0x${hex.encode(bytes)}`, 18, 8)}`
}
