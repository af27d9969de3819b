/** Members of plain data that may be missing, and those of JSON that may be anything. */
import { Json } from "@dotrpc/spec"

/** Those that have a value: what is `undefined` is left out, as where data becomes JSON. */
export const present = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

/** A whole number, zero or more: of a block, or of items. */
export const isCount = (value: Json.Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** The members of these names that are whole numbers, as many as `least` or more. */
export const countsOf = <Name extends string>(
  value: Json.Json | undefined,
  names: ReadonlyArray<Name>,
  least = 0,
): { readonly [Each in Name]?: number } =>
  Object.fromEntries(
    Json.isObject(value ?? null)
      ? Object.entries(value as Json.JsonObject).filter(
          ([name, member]) => names.some((each) => each === name) && isCount(member) && member >= least,
        )
      : [],
  ) as never
