/** Values of the ABI as values of typed columns: the narrowest type that holds each value of a declared type exactly. */
import { type ColumnType, type ColumnValue, Json } from "@dotrpc/spec"
import type { Parameter } from "../abi/Parameter.ts"

export const columnType = ({ components, type }: Parameter): ColumnType => {
  if (components !== undefined || type.endsWith("]")) return "json"
  if (type === "bool") return "boolean"
  const [, unsigned, bits] = integer.exec(type) ?? []
  if (bits === undefined) return "text"
  if (Number(bits) < 64 || (unsigned === "" && bits === "64")) return "int64"
  return bits === "64" ? "uint64" : "integer"
}

/** @param value as it was decoded */
export const columnValue = (type: ColumnType, value: Json.Json): ColumnValue => {
  switch (type) {
    case "json":
      return Json.stringify(Json.withDigits(value))
    case "boolean":
      return value === true
    case "text":
      return String(value)
    default:
      return BigInt(String(value))
  }
}

const integer = /^(u?)int(\d+)$/
