/** What a slot of storage holds, by the type of the variable that is there. */
import { type DecodeContext, Json } from "@dotrpc/spec"
import { hexToBytes } from "@noble/hashes/utils.js"
import { integerOf } from "./decodeWords.ts"
import type { StorageValue } from "../schemas/StoragePosition.ts"

/** Of a meaning that says what is in a slot. */
export const slotType = "storageSlot"

/** A value in a slot. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly solidity: string
  /** Bytes from the right end, and how many. */
  readonly offset: number
  readonly bytes: number
}

export interface DecodedSlot {
  readonly name: string
  readonly label: string
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly label: string
    readonly solidity: string
    readonly value: Json.Json
  }>
  readonly value: Json.Json
  /** What a reader should know when the variable is not in this slot alone. */
  readonly note?: string | undefined
}

/** The value at the position of a call, when a function said what is there. */
export const decodeSlot = (word: StorageValue, { sent }: DecodeContext): DecodedSlot | undefined => {
  const meaning = sent?.meanings.find(({ meaning: entry, path }) => entry.type === slotType && path[0] === 1)?.meaning
  if (meaning === undefined || word.length !== 66) return undefined
  const { fields, kind, label, name, rest } = meaning
  if (typeof name !== "string" || typeof label !== "string") return undefined
  if (kind === "text") return decodeText(word, name, label)
  const values = fieldsIn(fields).map((field) => ({ ...field, value: valueIn(word, field) }))
  const [first] = values
  const value =
    kind === "struct"
      ? Object.fromEntries(values.map((field) => [field.name, field.value]))
      : kind === "array"
        ? values.map((field) => field.value)
        : (first?.value ?? null)
  return { name, label, fields: values, value, note: typeof rest === "string" ? rest : undefined }
}

const fieldsIn = (fields: Json.Json | undefined): ReadonlyArray<Field> =>
  Json.isArray(fields ?? null)
    ? (fields as ReadonlyArray<Json.Json>).flatMap((entry) => {
        if (!Json.isObject(entry)) return []
        const { bytes, label, name, offset, solidity } = entry
        return typeof name === "string" &&
          typeof label === "string" &&
          typeof solidity === "string" &&
          typeof offset === "number" &&
          typeof bytes === "number"
          ? [{ name, label, solidity, offset, bytes }]
          : []
      })
    : []

/** The value of a field: numbers are exact, everything else is hex in lower case. */
const valueIn = (word: StorageValue, { bytes, offset, solidity }: Field): Json.Json => {
  const end = 66 - offset * 2
  const hex = `0x${word.slice(end - bytes * 2, end).toLowerCase()}`
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(solidity) ?? []
  if (bits !== undefined) {
    const integer = BigInt(hex)
    return integerOf(Number(bits), unsigned === "u" ? integer : BigInt.asIntN(Number(bits), integer))
  }
  // A boolean that is neither was not written by Solidity.
  if (solidity === "bool" && BigInt(hex) <= 1n) return BigInt(hex) === 1n
  return hex
}

/** Text of up to 31 bytes stands in the slot, twice its length at the end; of longer text, twice its length and one. */
const decodeText = (word: StorageValue, name: string, label: string): DecodedSlot => {
  const isText = label === "string"
  const mark = BigInt(word)
  const show = (value: Json.Json, solidity: string, note?: string): DecodedSlot => ({
    name,
    label,
    fields: [{ name: "", label, solidity, value }],
    value,
    note,
  })
  if (mark % 2n === 1n) {
    const length = (mark - 1n) / 2n
    const slots = (length + 31n) / 32n
    const value = { length: Json.numberFromText(String(length)), slots: Json.numberFromText(String(slots)) }
    const last = slots - 1n
    const where = slots === 1n ? "index 0" : `index 0 to ${last}`
    const words = slots === 1n ? "1 other slot" : `${slots} other slots`
    return show(value, "", `${name} has ${length} bytes in ${words}: read them with ${where}`)
  }
  const length = Number(BigInt.asUintN(8, mark)) / 2
  const digits = word.slice(2, 2 + length * 2)
  return isText
    ? show(new TextDecoder().decode(hexToBytes(digits)), "string")
    : show(`0x${digits.toLowerCase()}`, "bytes")
}
