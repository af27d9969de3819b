/** A storage value by the type of its variable, else in every way that it may have been meant: its type is not in the chain. */
import { explorerPage, formatUnits, type RenderContext, Table } from "@dotrpc/spec"
import { hexToBytes } from "@noble/hashes/utils.js"
import { type DecodedSlot, decodeSlot } from "../abi/decodeSlot.ts"
import type { Address } from "../schemas/Hex.ts"
import type { StorageValue } from "../schemas/StoragePosition.ts"
import { showValue } from "./argument.ts"
import { showTime } from "./time.ts"

export const renderStorage = (value: StorageValue, limit: number, context: RenderContext): Table.Table => {
  const decoded = decodeSlot(value, context)
  return decoded === undefined ? renderGuesses(value, limit, context) : renderDecoded(decoded, value, limit, context)
}

/** By the type of the variable, and the bytes below. */
const renderDecoded = (
  { fields, label, name, note }: DecodedSlot,
  value: StorageValue,
  limit: number,
  { network, units }: RenderContext,
): Table.Table => {
  const nameOf = (field: string) =>
    field === "" ? name : field.startsWith("[") ? `${name}${field}` : `${name}.${field}`
  const cells = fields.map((field) => ({
    ...field,
    text: showValue(field.value, field.solidity, { whole: true, units }),
  }))
  const rows = [...cells.map((field) => [nameOf(field.name), field.label, field.text]), ["", "bytes32", value]].slice(
    0,
    limit,
  )
  const [first, ...others] = cells
  return {
    total: cells.length + 1,
    columns: [{ name: "variable" }, { name: "type" }, { name: "value", decoded: true }],
    rows,
    links:
      network?.explorer === undefined
        ? undefined
        : rows.map((_, index) => {
            const cell = cells[index]
            const isAddress = cell?.solidity === "address" && typeof cell.value === "string"
            return [undefined, undefined, isAddress ? explorerPage(network, "address", String(cell.value)) : undefined]
          }),
    notes: note === undefined ? undefined : [note],
    headline:
      first !== undefined && others.length === 0
        ? `${name} · ${note ?? first.text} · ${label}`
        : `${name} · ${cells.map((field) => `${field.name}: ${field.text}`).join(" · ")}`,
  }
}

const renderGuesses = (value: StorageValue, limit: number, context: RenderContext): Table.Table => {
  const integer = BigInt(value)
  const address = addressLike(value, integer)
  const text = textLike(value)
  const amount =
    context.units === undefined || integer >= largestAmount ? undefined : formatUnits(integer, context.units)
  const rows = [
    ["hex", value],
    ["decimal", Table.groupDigits(integer)],
    ...(amount === undefined ? [] : [["amount", amount]]),
    ...(address === undefined ? [] : [["address", address]]),
    ...(text === undefined ? [] : [["text", JSON.stringify(text)]]),
    ...(isTimeLike(integer) ? [["time", showTime(integer, context.timeZone)]] : []),
  ].slice(0, limit)
  return {
    total: rows.length,
    columns: [{ name: "as" }, { name: "value" }],
    rows,
    ...(address === undefined || context.network?.explorer === undefined
      ? {}
      : {
          links: rows.map(([as]) => [
            undefined,
            as === "address" ? explorerPage(context.network, "address", address) : undefined,
          ]),
        }),
    headline: amount ?? headlineOf(value, integer, address, text),
  }
}

/** More digits than this are a hash or packed fields, not an amount anyone reads. */
const largestAmount = 1n << 128n

/** An address fills its 20 bytes: a value whose first of them are zero is far more likely an amount. */
const addressLike = (value: StorageValue, integer: bigint): Address | undefined =>
  integer >= largestAmount && integer < 1n << 160n ? `0x${value.slice(-40)}` : undefined

/** Solidity keeps text of up to 31 bytes in one slot: the bytes at the left, twice their number in the last byte. */
const textLike = (value: StorageValue): string | undefined => {
  const bytes = hexToBytes(value.slice(2))
  const twice = bytes[31] ?? 0
  const length = twice / 2
  if (length === 0 || !Number.isInteger(length) || length > 31) return undefined
  if (bytes.subarray(length, 31).some((byte) => byte !== 0)) return undefined
  const text = new TextDecoder().decode(bytes.subarray(0, length))
  return /[\p{Cc}\uFFFD]/u.test(text) ? undefined : text
}

/** Seconds of a moment in this century. */
const isTimeLike = (integer: bigint): boolean => integer >= 946_684_800n && integer < 4_102_444_800n

const headlineOf = (
  value: StorageValue,
  integer: bigint,
  address: Address | undefined,
  text: string | undefined,
): string => {
  if (address !== undefined) return `${Table.shorten(value)} · address ${address}`
  if (text !== undefined) return `${Table.shorten(value)} · ${JSON.stringify(text)}`
  if (integer >= largestAmount) return Table.shorten(value, 18, 16)
  return `0x${integer.toString(16)} · ${Table.groupDigits(integer)}`
}
