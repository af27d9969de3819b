/** Values of the ABI as values of typed columns: the narrowest type that holds each value of a declared type exactly. */
import { type ColumnType, type ColumnValue, Json } from "@dotrpc/spec"
import { itemOf, type Parameter } from "../abi/Parameter.ts"

export const columnType = ({ components, type }: Parameter): ColumnType => {
  if (components !== undefined || type.endsWith("]")) return "json"
  if (type === "bool") return "boolean"
  const [, unsigned, bits] = integer.exec(type) ?? []
  if (bits === undefined) return "text"
  if (Number(bits) < 64 || (unsigned === "" && bits === "64")) return "int64"
  return bits === "64" ? "uint64" : "integer"
}

/** @param value as it was decoded */
export const columnValue = (parameter: Parameter, type: ColumnType, value: Json.Json): ColumnValue => {
  switch (type) {
    case "json":
      return Json.stringify(withTexts(parameter, value))
    case "boolean":
      return value === true
    case "text":
      return String(value)
    default:
      return BigInt(String(value))
  }
}

/** Whole numbers that a reader of JSON may round become strings: all of a type that has some. */
const withTexts = (parameter: Parameter, value: Json.Json): Json.Json => {
  if (Json.isArray(value)) {
    const item = itemOf(parameter)?.item
    return item === undefined ? value : value.map((entry) => withTexts(item, entry))
  }
  if (Json.isObject(value))
    return Object.fromEntries(
      (parameter.components ?? []).map((member) => [member.name, withTexts(member, value[member.name] ?? null)]),
    )
  const [, , bits] = integer.exec(parameter.type) ?? []
  return bits !== undefined && Number(bits) > roundedBits ? String(value) : value
}

const integer = /^(u?)int(\d+)$/

/** Those that a double holds exactly. */
const roundedBits = 53
