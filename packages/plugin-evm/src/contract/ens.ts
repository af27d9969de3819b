/**
 * Names from the Ethereum Name Service: the name that an account claims, and whether that name leads back to the account.
 *
 * Anybody may claim any name for an account, so a name counts only if its own resolver gives the same account. Names that
 * a resolver keeps elsewhere, by wildcards (ENSIP-10) or off chain (EIP-3668), are not found.
 */
import type { Json, NamesReader, NamesStep } from "@dotrpc/spec"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"

import { EthCall } from "../methods/call.ts"

/** At the same address on each of them. */
const registry = "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e"

/** Mainnet, Sepolia, Holesky and Hoodi. */
const chains = new Set([1, 11_155_111, 17_000, 560_048])

/** Selectors of `resolver(bytes32)` of the registry, and of `name(bytes32)` and `addr(bytes32)` of resolvers. */
const selectors = { resolver: "0x0178b8bf", name: "0x691f3431", addr: "0x3b3b57de" } as const

/** An account and what is known of its name. */
interface Claim {
  readonly account: string
  /** The node in the registry that is asked about: the account's own, then that of its name. */
  readonly node: string
  readonly name: string
}

const callOf = (to: string, selector: string, { node }: Claim) => ({
  method: EthCall,
  params: [{ to, input: `${selector}${node}` }, "latest"],
})

/** The name of an account, by four calls at most: two for the name that it claims, two for where that leads. */
export const namesReader: NamesReader = {
  title: "ENS",
  isOn: ({ chainId }) => chainId !== undefined && chains.has(chainId),
  account: (text) => (/^0x[\da-f]{40}$/i.test(text) && BigInt(text) !== 0n ? text.toLowerCase() : undefined),
  rounds: 4,
  lookUp: (accounts) => {
    const claims = accounts.map((account) => ({
      account,
      node: nodeOf(`${account.slice(2)}.addr.reverse`) ?? "",
      name: "",
    }))
    return resolversOf(claims, (resolved) =>
      step(resolved, selectors.name, (answer, claim) => named(claim, answer), verified),
    )
  },
}

const verified = (claims: ReadonlyArray<Claim>): NamesStep =>
  resolversOf(claims, (resolved) =>
    step(
      resolved,
      selectors.addr,
      (answer, claim) => (addressIn(answer) === claim.account ? claim : undefined),
      (found) => ({ names: Object.fromEntries(found.map(({ account, name }) => [account, name])) }),
    ),
  )

interface Resolved {
  readonly claim: Claim
  readonly resolver: string
}

/** Asks the registry who answers for each node; a node without a resolver is left out. */
const resolversOf = (
  claims: ReadonlyArray<Claim>,
  then: (resolved: ReadonlyArray<Resolved>) => NamesStep,
): NamesStep => ({
  calls: claims.map((claim) => callOf(registry, selectors.resolver, claim)),
  next: (answers) =>
    then(
      claims.flatMap((claim, index) => {
        const resolver = addressIn(answers[index])
        return resolver === undefined || BigInt(resolver) === 0n ? [] : [{ claim, resolver }]
      }),
    ),
})

/** Asks each resolver, and continues with the claims that are left. */
const step = (
  resolved: ReadonlyArray<Resolved>,
  selector: string,
  read: (answer: Json.Json | undefined, claim: Claim) => Claim | undefined,
  then: (claims: ReadonlyArray<Claim>) => NamesStep,
): NamesStep => ({
  calls: resolved.map(({ claim, resolver }) => callOf(resolver, selector, claim)),
  next: (answers) => then(resolved.flatMap(({ claim }, index) => read(answers[index], claim) ?? [])),
})

const named = (claim: Claim, answer: Json.Json | undefined): Claim | undefined => {
  const name = textIn(answer)
  const node = name === undefined ? undefined : nodeOf(name)
  return name === undefined || node === undefined ? undefined : { ...claim, name, node }
}

/** Longer names are not read: none is shown. */
const longestName = 255
const mostLabels = 16

/** The namehash of ENSIP-1, without `0x`; `undefined` for a text that is not a name. */
const nodeOf = (name: string): string | undefined => {
  const labels = name.split(".")
  if (labels.length > mostLabels || labels.includes("")) return undefined
  const node = labels.reduceRight(
    (above, label) => keccak_256(concatBytes(above, keccak_256(utf8ToBytes(label)))),
    new Uint8Array(32),
  )
  return bytesToHex(node)
}

const addressIn = (answer: Json.Json | undefined): string | undefined =>
  typeof answer === "string" && /^0x0{24}[\da-f]{40}$/i.test(answer)
    ? `0x${answer.slice(-40).toLowerCase()}`
    : undefined

const word = 64

/** An answer of one `string`, in UTF-8. What is longer than any name is not read. */
const textIn = (answer: Json.Json | undefined): string | undefined => {
  if (typeof answer !== "string" || answer.length > longestAnswer || !/^0x(?:[\da-f]{2})*$/i.test(answer))
    return undefined
  const hex = answer.slice(2)
  if (hex.length < 2 * word || BigInt(`0x${hex.slice(0, word)}`) !== 32n) return undefined
  const length = BigInt(`0x${hex.slice(word, 2 * word)}`)
  if (length === 0n || length > BigInt(longestName) || 2 * Number(length) > hex.length - 2 * word) return undefined
  try {
    const bytes = hexToBytes(hex.slice(2 * word, 2 * word + 2 * Number(length)))
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Bytes that are not text are not a name.
    return undefined
  }
}

const longestAnswer = 2 + 2 * word + 2 * 256
