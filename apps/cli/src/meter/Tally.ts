/**
 * What a metered command has asked for, and what became of it, by network and method.
 *
 * Invariant: credits are those of the allowances that the calls were paid from, so they are what the ledger was charged.
 */
import type { Elsewhere, Workspace } from "@dotrpc/analysis"
import { CreditBudget } from "@dotrpc/core"
import { Json, type Method, type Network, PriceSheet } from "@dotrpc/spec"
import { createHash } from "node:crypto"
import { meteredMethod } from "./MeteredMethod.ts"

/** The calls of one method on one network. */
export interface Row {
  readonly network: Network
  /** As the client spells it. */
  readonly name: string
  readonly method: Method
  /** What its calls are paid from. */
  readonly allowance: CreditBudget.Allowance
  asked: number
  /** How many of `asked` had been asked before with the same params. */
  repeated: number
  /** How many of `asked` a Multicall could have made together with one before: calls of contracts at one block, within a moment. */
  together: number
  sent: number
  bytes: number
  errors: number
  /** Milliseconds of the slowest that was sent. */
  slowest: number
}

/** A call that was sent, and its end as far as a price depends on it. */
export interface Sent extends PriceSheet.CallEnd {
  readonly params: Json.Json
  readonly millis: number
  readonly isError: boolean
}

export interface Tally {
  readonly rowOf: (network: Network, name: string, method?: Method) => Row
  /** At a moment in milliseconds. What it returns is the same for the same call. */
  readonly asked: (row: Row, params: Json.Json, now: number) => string
  readonly sent: (row: Row, call: Sent) => void
  /** An event of a subscription, and what it costs by another sheet. */
  readonly came: (row: Row, bytes: number, priceBy: (sheet: PriceSheet.PriceSheet) => number) => void
  /** What a batch costs on top of its calls, by another sheet. */
  readonly charged: (priceBy: (sheet: PriceSheet.PriceSheet) => number) => void
  readonly rows: () => ReadonlyArray<Row>
  /** By each of the other sheets, in their order. */
  readonly elsewhere: () => ReadonlyArray<Elsewhere>
}

export interface TallyOptions {
  readonly plugins: Workspace["plugins"]
  readonly purse: CreditBudget.Allowance
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
}

export const makeTally = ({ plugins, purse, sheets }: TallyOptions): Tally => {
  const rows = new Map<string, Row>()
  const seen = new Set<string>()
  /** When the latest call of a contract was asked for, by network and block. */
  const contractCalls = new Map<string, number>()
  const elsewhere = sheets.map((sheet) => ({ sheet, min: 0, max: 0, assumed: false }))
  const count = (row: Row, bytes: number) => {
    row.sent++
    row.bytes += bytes
  }
  const charge = (priceBy: (sheet: PriceSheet.PriceSheet) => number) => {
    for (const each of elsewhere) {
      const credits = priceBy(each.sheet)
      each.min += credits
      each.max += credits
    }
  }
  return {
    rowOf: (network, name, method) => {
      const key = `${network.id}\n${name}`
      const known = rows.get(key)
      if (known !== undefined) return known
      const row: Row = {
        network,
        name,
        method: method ?? meteredMethod(plugins, network, name),
        allowance: CreditBudget.makeAllowance({ name: "this method", parent: purse }),
        asked: 0,
        repeated: 0,
        together: 0,
        sent: 0,
        bytes: 0,
        errors: 0,
        slowest: 0,
      }
      // A client may make up names.
      if (rows.size < mostRows) rows.set(key, row)
      return row
    },
    asked: (row, params, now) => {
      row.asked++
      const block = blockOfContractCall(row.name, params)
      if (block !== undefined) {
        const at = `${row.network.id}\n${block}`
        if (now - (contractCalls.get(at) ?? Number.NEGATIVE_INFINITY) <= togetherMillis) row.together++
        if (contractCalls.size < mostRows || contractCalls.has(at)) contractCalls.set(at, now)
      }
      const key = digest(`${row.network.id}\n${row.name}\n${Json.stringify(params)}`)
      if (seen.has(key)) row.repeated++
      else if (seen.size < mostSeen) seen.add(key)
      return key
    },
    sent: (row, { bytes = 0, isError, millis, params, ...end }) => {
      count(row, bytes)
      row.slowest = Math.max(row.slowest, millis)
      if (isError) row.errors++
      const { method, network } = row
      const call = { method, network, params, mostBytes: bytes }
      for (const each of elsewhere) {
        const range = PriceSheet.priceOf(each.sheet, call)
        const most = PriceSheet.chargeOf(each.sheet, call, { ...end, bytes })
        each.min += Math.min(range.min, most)
        each.max += most
        each.assumed ||= range.assumed
      }
    },
    came: (row, bytes, priceBy) => {
      count(row, bytes)
      charge(priceBy)
    },
    charged: charge,
    rows: () => [...rows.values()],
    elsewhere: () => elsewhere.map(inMoney),
  }
}

const inMoney = ({ assumed, max, min, sheet }: Elsewhere & { readonly max: number }): Elsewhere => {
  const inUnit = (amount: number) => Number(amount.toFixed(sheet.unit.decimals ?? 0))
  const [least, most] = [PriceSheet.usdOf(sheet, min), PriceSheet.usdOf(sheet, max)]
  const usd = least === undefined ? undefined : { min: least, max: most }
  return { sheet, min: inUnit(min), max: inUnit(max), assumed, usd }
}

/** The block of an `eth_call` that reads a contract and nothing else: one that pays, or says who calls, cannot go with others. */
const blockOfContractCall = (name: string, params: Json.Json): string | undefined => {
  if (name !== "eth_call" || !Json.isArray(params) || params.length > 2) return undefined
  const [call, block = "latest"] = params
  const isRead = Json.isObject(call) && Object.keys(call).every((member) => readMembers.has(member))
  return isRead ? Json.stringify(block) : undefined
}

const readMembers: ReadonlySet<string> = new Set(["to", "data", "input"])

/** Calls that a client makes at once come within so many milliseconds. */
const togetherMillis = 10

/** Sixteen bytes a call: a day of calls is remembered without the params of each. */
const digest = (text: string): string => createHash("sha256").update(text).digest("base64").slice(0, 22)

/** More methods than any provider has. */
const mostRows = 10_000

/** Of more, not every repetition is known. */
const mostSeen = 1_000_000
