/** The actual value of a check that failed, written as its expectation is, so that both can be compared by eye. */
import { Value } from "@dotrpc/analysis"
import type { CheckReport } from "@dotrpc/runner"
import { Json, Table, Visible } from "@dotrpc/spec"

import { excerpt } from "./text.ts"

/**
 * `1,200 (0x4b0)` beside `> 1000`, `0x3 (3)` beside `== "0x4"`, `1.5 ether (0x14d1120d7b160000)` beside `> units(2, "ether")`;
 * `undefined` where the value is not told.
 */
export const actualWords = ({
  actual,
  actualAmount,
  expected,
}: Pick<CheckReport, "actual" | "actualAmount" | "expected">): string | undefined => {
  if (actual === undefined) return undefined
  const written = excerpt(Visible.json(Json.stringify(actual)), longestWords)
  if (actualAmount !== undefined) return `${Visible.line(actualAmount)} (${written.replaceAll('"', "")})`
  const integer = Value.integerOf(actual)
  if (integer === undefined || expected === undefined) return written
  if (isDecimal(expected) && isHex(actual)) return `${Table.groupDigits(integer)} (${String(actual)})`
  if (isHex(expected) && isDecimal(actual) && integer >= 0n) return `0x${integer.toString(16)} (${integer})`
  return written
}

const longestWords = 100

const isDecimal = (value: Json.Json): boolean => typeof value === "number" || typeof value === "bigint"

const isHex = (value: Json.Json): boolean => typeof value === "string" && /^0x[\da-f]{1,64}$/i.test(value)
