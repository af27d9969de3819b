/** The decimals and the symbol of a token, read from its contract. Whatever the contract answers is checked before it is shown. */
import {
  formatUnits,
  isDecimals,
  isRevert,
  isSymbol,
  type Json,
  maxDecimals,
  RpcClient,
  type RpcError,
  type TokenUnits,
  type UnitsReader,
  type UnitsReading,
} from "@dotrpc/spec"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { EthCall } from "../methods/call.ts"
import type { Address } from "../schemas/Hex.ts"

export { formatUnits }

/** The contract has no decimals, or decimals that no token can have. */
export class UnitsUnreadable extends Data.TaggedError("UnitsUnreadable")<{
  readonly token: Address
  /** What is wrong, in words. */
  readonly problem: string
}> {
  override get message(): string {
    return `the units of ${this.token} cannot be read: ${this.problem}`
  }
}

/**
 * The decimals and the symbol of a token, by two calls at the same moment. A symbol that is missing, or that could be mistaken for another,
 * is left out. Fails with {@link UnitsUnreadable} when there are no decimals between 0 and 77, or as {@link EthCall} does.
 *
 * @example
 * ```ts
 * const units = yield* Evm.readUnits(token)
 * const text = Evm.formatUnits(1_204_500_000n, units) // "1,204.5 USDC"
 * ```
 */
export const readUnits = (token: Address): Effect.Effect<TokenUnits, RpcError | UnitsUnreadable, RpcClient> =>
  Effect.gen(function* () {
    const answers = yield* Effect.all(
      paramsOf(token).map((params) =>
        RpcClient.call(EthCall, params).pipe(Effect.catchIf(isRefusal, () => Effect.succeed(undefined))),
      ),
      { concurrency: "unbounded" },
    )
    const reading = read(token.toLowerCase(), answers)
    if ("problem" in reading) return yield* new UnitsUnreadable({ token, problem: reading.problem })
    return reading.units
  })

const isRefusal = ({ reason }: RpcError): boolean =>
  reason._tag === "Rejected" && isRevert({ message: reason.said, rpcCode: reason.rpcCode })

/** Selectors of `decimals()` and `symbol()`. */
const inputs = ["0x313ce567", "0x95d89b41"] as const

const paramsOf = (token: Address) => inputs.map((input) => [{ to: token, input }, "latest"] as const)

/** Reads the units from the answers; an answer of a call that reverted is `undefined`. */
const read = (token: string, [decimalsData, symbolData]: ReadonlyArray<Json.Json | undefined>): UnitsReading => {
  if (typeof decimalsData !== "string" || decimalsData === "0x")
    return { problem: "it has no decimals(): the address is not a token on this network" }
  const decimals = /^0x[\da-f]{64}$/i.test(decimalsData) ? Number(BigInt(decimalsData)) : undefined
  if (!isDecimals(decimals)) return { problem: `its decimals() is not a number from 0 to ${maxDecimals}` }
  const symbol = typeof symbolData === "string" ? symbolIn(symbolData) : undefined
  return symbol !== undefined && isSymbol(symbol)
    ? { units: { token, decimals, symbol } }
    : {
        units: { token, decimals },
        note:
          symbolData === undefined || symbolData === "0x"
            ? "it has no symbol()"
            : "its symbol is not shown: it is too long, or could be mistaken for another",
      }
}

/**
 * A `string`, or the `bytes32` of early tokens with zeros at its end. Data that is longer than any symbol is not read. Each
 * byte counts as a character: those that are not ASCII are refused anyway.
 */
const symbolIn = (data: string): string | undefined => {
  if (data.length > longestSymbol || !/^0x(?:[\da-f]{2})*$/i.test(data)) return undefined
  const hex = data.slice(2)
  // What follows the first zero is not part of the text.
  if (hex.length === wordDigits) return charactersOf(hex).split("\0", 1)[0]
  const length = BigInt(`0x${hex.slice(wordDigits, 2 * wordDigits) || "0"}`)
  const text = hex.slice(2 * wordDigits)
  const isLaidOut = hex.length >= 2 * wordDigits && BigInt(`0x${hex.slice(0, wordDigits)}`) === 32n
  return isLaidOut && length * 2n <= BigInt(text.length) ? charactersOf(text.slice(0, Number(length) * 2)) : undefined
}

const wordDigits = 64

/** A `string` of 64 bytes. */
const longestSymbol = 2 + 4 * wordDigits

const charactersOf = (hex: string): string =>
  (hex.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join("")

const isAddress = (text: string): text is Address => /^0x[\da-f]{40}$/i.test(text)

/** For `# @units`. */
export const unitsReader: UnitsReader = {
  example: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
  token: (text) => (isAddress(text) ? text.toLowerCase() : undefined),
  calls: (token) => (isAddress(token) ? paramsOf(token).map((params) => ({ method: EthCall, params })) : []),
  read,
}
