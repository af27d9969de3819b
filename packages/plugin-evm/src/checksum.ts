/** The checksum of an address, which is the case of its letters: EIP-55, or EIP-1191 on the chains that use it. */
import { type AddressForm, Json, type Network, type ParamIssue, type ParamPath } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Address, quote } from "./schemas/Hex.ts"

/**
 * An address with its checksum; with that of a chain which has its own, where the id of one is given.
 *
 * @example
 * ```ts
 * Evm.withChecksum("0x5fbdb2315678afecb367f032d93f642f64180aa3") // "0x5FbDB2315678afecb367f032d93F642f64180aa3"
 * ```
 */
export const withChecksum = (address: Address, chainId?: number): Address => {
  const digits = address.slice(2).toLowerCase()
  const prefix = chainId !== undefined && chainsOfTheirOwn.includes(chainId) ? `${chainId}0x` : ""
  const hash = bytesToHex(keccak_256(utf8ToBytes(prefix + digits)))
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit)).join("")}`
}

/** Rootstock and its test network, the only ones whose addresses have checksums by EIP-1191. */
const chainsOfTheirOwn = [30, 31]

/** On those chains, and where the chain is not known, people write either checksum. */
const hasWrongChecksum = (address: Address, chainId: number | undefined): boolean => {
  const chains = chainId === undefined ? chainsOfTheirOwn : [chainId]
  return [undefined, ...chains].every((chain) => withChecksum(address, chain) !== address)
}

/** Addresses as people write them. Without a checksum any digit may be wrong, but with a wrong one some digit is. */
export const addressForm: AddressForm = {
  example: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  problem: (text, chainId) => {
    if (!/^0x[\da-f]{40}$/i.test(text)) return `expected an address (0x and 40 hex digits), found ${quote(text)}`
    return isMixedAddress(text) && hasWrongChecksum(text, chainId)
      ? `expected an address with its checksum; a digit of this one may be wrong: compare it with its source`
      : undefined
  },
}

/** Addresses anywhere in params whose case is mixed and is not their checksum: one of their digits may be wrong. */
export const checksumWarnings = (params: Json.Json, network?: Pick<Network, "chainId">): ReadonlyArray<ParamIssue> => {
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
      if (!hasWrongChecksum(value, network?.chainId)) continue
      warnings.push({
        path,
        message: "the checksum of this address is wrong, so a digit of it may be: compare it with its source",
        replaceWith: withChecksum(value, network?.chainId),
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
