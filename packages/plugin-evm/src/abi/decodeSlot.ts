/** What a slot of storage holds, by the type of the variable that is there. */
import { type DecodeContext, Json } from "@dotrpc/spec"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { StorageValue } from "../schemas/StoragePosition.ts"
import { decodeValues } from "./decodeValues.ts"
import { lengthOf, solidityType, type StoragePlace } from "./storagePath.ts"
import type { StorageType } from "./StorageLayout.ts"

/** A place as the meaning of a position, which goes with it to the result. */
export const meaningOf = (place: StoragePlace): Json.JsonObject => {
  const { name, type } = place
  return { type: slotType, name, label: type.label, ...contentOf(place) }
}

const slotType = "storageSlot"

/** A value in a slot. */
interface Field {
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

/** How the slot of a place is read, as JSON. */
const contentOf = ({ layout, name, offset, piece, type }: StoragePlace): Json.JsonObject => {
  const one = (field: Field): Json.JsonObject => ({ kind: "one", fields: [{ ...field }] })
  if (piece !== undefined)
    return one({
      name: "",
      label: `bytes ${piece * 32} to ${piece * 32 + 31}`,
      solidity: "bytes32",
      offset: 0,
      bytes: 32,
    })
  if (type.encoding === "bytes") return { kind: "text" }
  if (type.encoding === "dynamic_array")
    return one({ name: "length", label: "uint256", solidity: "uint256", offset: 0, bytes: 32 })
  if (type.members !== undefined) {
    const members = type.members.flatMap((member) => {
      const found = layout.types.get(member.type)
      return member.slot === 0n && found !== undefined && isValue(found)
        ? [fieldOf(member.name, found, member.offset)]
        : []
    })
    const more = (type.bytes + 31n) / 32n
    const rest = more > 1n ? `${name} takes ${more} slots: name a member to read another one` : null
    return { kind: "struct", fields: members.map((field) => ({ ...field })), rest }
  }
  const length = lengthOf(type)
  const item = type.base === undefined ? undefined : layout.types.get(type.base)
  if (length !== undefined && item !== undefined) {
    const shared = item.bytes === 0n || !isValue(item) ? 0n : 32n / item.bytes
    const count = Number(shared < length ? shared : length)
    const slots = (type.bytes + 31n) / 32n
    const rest = slots > 1n ? `${name} takes ${slots} slots: give an index to read another one` : null
    return {
      kind: "array",
      fields: Array.from({ length: count }, (_, index) => ({
        ...fieldOf(`[${index}]`, item, index * Number(item.bytes)),
      })),
      rest,
    }
  }
  return one(fieldOf("", type, offset))
}

const isValue = (type: StorageType): boolean =>
  type.encoding === "inplace" && type.members === undefined && type.base === undefined && type.bytes <= 32n

const fieldOf = (name: string, type: StorageType, offset: number): Field => ({
  name,
  label: type.label,
  solidity: solidityType(type),
  offset,
  bytes: Number(type.bytes > 32n ? 32n : type.bytes),
})

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

/** The bytes of a field, decoded as if they were alone: numbers stand at the right of a word, bytes at its left. */
const valueIn = (word: StorageValue, { bytes, offset, solidity }: Field): Json.Json => {
  const end = 66 - offset * 2
  const digits = word.slice(end - bytes * 2, end)
  const isLeft = /^(bytes|function)/.test(solidity)
  const filler = solidity.startsWith("int") && /^[89a-f]/i.test(digits) ? "f" : "0"
  const padded = isLeft ? digits.padEnd(64, "0") : digits.padStart(64, filler)
  const [value] = decodeValues([{ name: "", type: solidity }], `0x${padded}`) ?? []
  // A value that its type cannot have was not written by Solidity.
  return value ?? `0x${digits.toLowerCase()}`
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
