/**
 * Precompiled contracts run in one go. Their gas is right for native code and far too little here, so inputs that would
 * block everything else are refused.
 */
import type { Message as Frame } from "@ethereumjs/evm"
import { bytesToHex } from "@ethereumjs/util"
import { RunRefused } from "./Execution.ts"

/** @throws RunRefused for a call of a precompiled contract that takes longer than a few milliseconds. */
export const refuseSlowPrecompile = (frame: Frame): void => {
  const { code, data, to } = frame
  // A creation has no address yet, and code of its own is not a precompiled contract, wherever it is.
  if (to === undefined || (code !== undefined && typeof code !== "function")) return
  const address = bytesToHex(frame.codeAddress.bytes)
  if (!address.startsWith(RESERVED)) return
  const number = Number(address)
  const isTooSlow =
    tooSlow.has(number) ||
    (number === MODEXP && stepsOfPower(data) > MOST_STEPS) ||
    (number === BLAKE2F && roundsOf(data) > MOST_ROUNDS) ||
    ((number === SHA256 || number === RIPEMD160) && data.length > LONGEST_HASHED)
  if (isTooSlow)
    throw new RunRefused(
      `execution aborted: the precompiled contract at ${address} takes too long here with this input`,
    )
}

/** Bytes that are hashed in a few milliseconds. */
export const LONGEST_HASHED = 65_536

const RESERVED = `0x${"0".repeat(37)}`
const SHA256 = 2
const RIPEMD160 = 3
const MODEXP = 5
const BLAKE2F = 9
const MOST_STEPS = 200_000
const MOST_ROUNDS = 4_000

/** Pairings, proofs of blobs, and sums of many products of points. */
const tooSlow: ReadonlySet<number> = new Set([8, 10, 12, 14, 15])

/** How much work a power is: the square of the longer number's words for each bit of the exponent. */
const stepsOfPower = (data: Uint8Array): number => {
  const [base, exponent, modulus] = [0, 32, 64].map((start) => {
    const digits = bytesToHex(data.subarray(start, start + 32))
      .slice(2)
      .padEnd(64, "0")
    return Number(BigInt(`0x${digits}`))
  }) as [number, number, number]
  return Math.ceil(Math.max(base, modulus) / 8) ** 2 * 8 * exponent
}

/** The rounds of a BLAKE2 compression are the first four bytes. */
const roundsOf = (data: Uint8Array): number =>
  data.length < 4 ? 0 : new DataView(data.buffer, data.byteOffset).getUint32(0)
