/** The sheets of this package. Each is read when it is first asked for. */
import type { PriceSheet } from "@dotrpc/spec"
import { sheetTexts } from "./internal/sheetTexts.ts"

/** The ids of the sheets, in the order of the alphabet. */
export const providers: ReadonlyArray<string> = [...sheetTexts.keys()]

/**
 * What a provider charges, by its id; `undefined` for one that has no sheet here.
 *
 * @example
 * ```ts
 * sheetOf("alchemy")?.unit.many // "CU"
 * ```
 */
export const sheetOf = (id: string): PriceSheet.PriceSheet | undefined => {
  const known = read.get(id)
  if (known !== undefined) return known
  const text = sheetTexts.get(id)
  if (text === undefined) return undefined
  // The tests check every sheet of this package.
  const sheet = JSON.parse(text) as PriceSheet.PriceSheet
  read.set(id, sheet)
  return sheet
}

/** All of them. */
export const sheets = (): ReadonlyArray<PriceSheet.PriceSheet> => providers.flatMap((id) => sheetOf(id) ?? [])

const read = new Map<string, PriceSheet.PriceSheet>()
