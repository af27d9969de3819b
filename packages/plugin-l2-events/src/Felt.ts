/**
 * A felt: a number below the Stark prime, written as `0x` and up to 64 hex digits. Leading zeros and the case of digits
 * carry no meaning, so felts are compared as numbers.
 */
import { type AddressForm, withRepair } from "@dotrpc/spec"
import * as Schema from "effect/Schema"
import { isWhole } from "./internal/integer.ts"

/** Every felt is smaller than this. */
export const starkPrime = 2n ** 251n + 17n * 2n ** 192n + 1n

/** What is wrong with a felt's text, as a phrase without a full stop; `undefined` when it is right. */
export const feltProblem = (text: string): string | undefined => {
  const digits = /^0x([0-9a-f]+)$/i.exec(text)?.[1]
  if (digits === undefined) return `expected a felt ("0x" and up to 64 hex digits), found ${quote(text)}`
  if (digits.length > 64) return `expected a felt of at most 64 hex digits, found ${digits.length}`
  return BigInt(text) < starkPrime
    ? undefined
    : `expected a felt below the Stark prime 0x${starkPrime.toString(16)}, found ${text}`
}

/** The number a felt stands for. Throws a `RangeError` that says what is wrong when the text is not a felt. */
export const feltValue = (text: string): bigint => {
  const problem = feltProblem(text)
  if (problem !== undefined) throw new RangeError(problem)
  return BigInt(text)
}

/** Whether two felts are the same number: `0x04c` and `0x4C` are. Throws as {@link feltValue}. */
export const sameFelt = (left: string, right: string): boolean => feltValue(left) === feltValue(right)

/** Addresses of contracts. A small number may be anything, so it is not recognised as an address in rows. */
export const addressForm: AddressForm = {
  example: "0x276fd4533ddaef727a8ec4e42e081fa3b2065e31da87eec0ce51699d6e4c88d",
  problem: (text) =>
    feltProblem(text) ??
    (feltValue(text) >> 156n > 0n ? undefined : `expected the address of a contract, found the small number ${text}`),
}

/** A felt in params. A whole number is offered as hex. */
export const Felt = withRepair(
  Schema.String.check(Schema.makeFilter(feltProblem, { expected: 'a felt ("0x" and up to 64 hex digits)' })),
  (value) => (isWhole(value) && value >= 0 && value < starkPrime ? `0x${BigInt(value).toString(16)}` : undefined),
)

const quote = (text: string): string => JSON.stringify(text.length <= 70 ? text : `${text.slice(0, 69)}…`)
