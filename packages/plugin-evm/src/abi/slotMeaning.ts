/** What the position of a variable stands for: it goes with the position to the result, which is decoded by it. */
import type { Json } from "@dotrpc/spec"
import { type Field, slotType } from "./decodeSlot.ts"
import { lengthOf, solidityType, type StoragePlace } from "./storagePath.ts"
import type { StorageType } from "./StorageLayout.ts"

/** A place as the meaning of its position. */
export const meaningOf = (place: StoragePlace): Json.JsonObject => {
  const { name, type } = place
  return { type: slotType, name, label: type.label, ...contentOf(place) }
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
