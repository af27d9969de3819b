/** A position in an account's storage (service §4.1), and what is stored there (§2.4). */
import { withRepair } from "@dotrpc/spec"
import type { Schema } from "effect"
import { badDigit, bytesOf, type Hex, hexString } from "./Hex.ts"

/** `0x` and 1 to 64 digits. Odd lengths and leading zeros are fine: `"0x0"`, `"0x0008"` or a 32-byte hash. */
export type StoragePosition = Hex

export const StoragePosition: Schema.Codec<StoragePosition, StoragePosition> = withRepair(
  hexString('a storage position of at most 32 bytes in hex such as "0x0"', (text) => {
    if (text.length === 2) return "no digits after 0x"
    return badDigit(text) ?? (text.length > 66 ? `${text.length - 2} digits` : undefined)
  }),
  (value) =>
    (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) ||
    (typeof value === "bigint" && value >= 0n)
      ? `0x${value.toString(16)}`
      : undefined,
)

/** 32 bytes: an integer padded on the left. */
export type StorageValue = Hex

export const StorageValue: Schema.Codec<StorageValue, StorageValue> = bytesOf(32, "a storage value")
