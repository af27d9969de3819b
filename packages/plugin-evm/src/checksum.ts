/** The checksum of an address, which is the case of its letters (EIP-55). */
import { type AddressForm, Json, type ParamIssue, type ParamPath } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Address, quote } from "./schemas/Hex.ts"

/**
 * An address with its checksum.
 *
 * @example
 * ```ts
 * Evm.withChecksum("0x5fbdb2315678afecb367f032d93f642f64180aa3") // "0x5FbDB2315678afecb367f032d93F642f64180aa3"
 * ```
 */
export const withChecksum = (address: Address): Address => {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit)).join("")}`
}

/** Addresses as people write them. Without a checksum any digit may be wrong, but with a wrong one some digit is. */
export const addressForm: AddressForm = {
  example: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  problem: (text) => {
    if (!/^0x[\da-f]{40}$/i.test(text)) return `expected an address (0x and 40 hex digits), found ${quote(text)}`
    return isMixedAddress(text) && withChecksum(text) !== text
      ? `expected an address with its checksum; a digit of this one may be wrong: compare it with its source`
      : undefined
  },
}

/** Addresses anywhere in params whose case is mixed and is not their checksum: one of their digits may be wrong. */
export const checksumWarnings = (params: Json.Json): ReadonlyArray<ParamIssue> => {
  const warnings: Array<ParamIssue> = []
  const waiting: Array<{ readonly value: Json.Json; readonly path: ParamPath }> = [{ value: params, path: [] }]
  let compared = 0
  for (let next = waiting.pop(); next !== undefined && compared < mostCompared; next = waiting.pop()) {
    const { path, value } = next
    if (Json.isArray(value))
      for (const [index, item] of value.entries()) waiting.push({ value: item, path: [...path, index] })
    else if (Json.isObject(value))
      for (const [name, member] of Object.entries(value)) waiting.push({ value: member, path: [...path, name] })
    else if (isMixedAddress(value)) {
      compared++
      const right = withChecksum(value)
      if (right === value) continue
      warnings.push({
        path,
        message: "the checksum of this address is wrong, so a digit of it may be: compare it with its source",
        replaceWith: right,
      })
    }
  }
  return warnings.toReversed()
}

/** An editor asks on every change, and a filter may name thousands. */
const mostCompared = 100

/** All letters in one case mean that there is no checksum. */
const isMixedAddress = (value: Json.Json): value is Address =>
  typeof value === "string" &&
  value.length === 42 &&
  /^0x[\da-f]{40}$/i.test(value) &&
  /[a-f]/.test(value.slice(2)) &&
  /[A-F]/.test(value)
