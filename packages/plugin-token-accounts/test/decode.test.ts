import { base58, base64 } from "@scure/base"
import { describe, expect, it } from "vitest"
import { TokenAccounts } from "../src/index.ts"
import { golden, goldenAccounts, plainNumbers } from "./golden.ts"

const programOf = (owner: string) => (owner.startsWith("Tokenz") ? "spl-token-2022" : "spl-token")

const withByte = (name: string, at: number, value: number): Uint8Array => {
  const bytes = Uint8Array.from(base64.decode(golden(name).base64))
  bytes[at] = value
  return bytes
}

const failure = (run: () => unknown): TokenAccounts.DecodeError => {
  try {
    run()
  } catch (error) {
    if (error instanceof TokenAccounts.DecodeError) return error
    throw error
  }
  throw new Error("expected a DecodeError")
}

const checkRefused = (what: string, bytes: Uint8Array, reason: TokenAccounts.DecodeReason, message: string) =>
  it(`refuses ${what}`, () => {
    const error = failure(() => TokenAccounts.decodeAccount(bytes))
    expect({ reason: error.reason, message: error.message }).toEqual({ reason, message })
  })

const checkUnreadable = (what: string, data: TokenAccounts.EncodedData, message: RegExp) =>
  it(`refuses ${what}`, () => {
    const error = failure(() => TokenAccounts.decodeData(data))
    expect(error.reason).toBe("encoding")
    expect(error.message).toMatch(message)
  })

describe("an account is decoded as a node's own parser reads it", () => {
  for (const account of goldenAccounts) {
    it(`decodes: ${account.name}`, () => {
      const bytes = base64.decode(account.base64)
      const decoded = TokenAccounts.decodeAccount(bytes, {
        decimals: account.decimals,
        program: programOf(account.owner),
      })
      expect(decoded).toEqual(plainNumbers(account.parsed))
    })
  }

  it("wherever the bytes stand in their buffer", () => {
    const bytes = base64.decode(golden("approved").base64)
    const padded = new Uint8Array(bytes.length + 7)
    padded.set(bytes, 3)
    const decoded = TokenAccounts.decodeAccount(padded.subarray(3, 3 + bytes.length), { decimals: 6 })
    expect(decoded).toEqual(plainNumbers(golden("approved").parsed))
  })
})

describe("without decimals an amount is the raw number alone", () => {
  it("for every amount of the account", () => {
    const { info } = TokenAccounts.decodeAccount(base64.decode(golden("every amount at its maximum").base64)).parsed
    expect(info.tokenAmount).toEqual({ amount: "18446744073709551615" })
    expect(info.delegatedAmount).toEqual({ amount: "18446744073709551615" })
  })
  it("except for a native account, which always has nine", () => {
    const { info } = TokenAccounts.decodeAccount(base64.decode(golden("native").base64)).parsed
    expect(info.tokenAmount).toEqual({ amount: "1500000000", decimals: 9, uiAmount: 1.5, uiAmountString: "1.5" })
    expect(info.rentExemptReserve).toMatchObject({ uiAmountString: "0.00203928" })
  })
})

describe("a kind of extension that is not known is kept and named", () => {
  it("with its number and its bytes", () => {
    const bytes = withByte("token-2022, immutable owner", 166, 99)
    const { info } = TokenAccounts.decodeAccount(bytes, { decimals: 2 }).parsed
    expect(info.extensions).toEqual([{ extension: "unknown", state: { type: 99, data: "" } }])
  })
  it("and those after it are still read", () => {
    const bytes = withByte("token-2022, many extensions", 166 + 4, 99)
    const names = TokenAccounts.decodeAccount(bytes).parsed.info.extensions?.map((entry) => entry.extension)
    expect(names).toEqual([
      "immutableOwner",
      "unknown",
      "memoTransfer",
      "cpiGuard",
      "nonTransferableAccount",
      "transferHookAccount",
      "pausableAccount",
    ])
  })
  it("and padding ends the list", () => {
    const bytes = withByte("token-2022, many extensions", 166 + 4, 0)
    expect(TokenAccounts.decodeAccount(bytes).parsed.info.extensions).toEqual([{ extension: "immutableOwner" }])
  })
})

describe("bytes that are not a whole token account are refused", () => {
  const expected = "expected a token account of 165 bytes, or more with extensions, found"
  const notAccount = "not-token-account"
  checkRefused("nothing", new Uint8Array(0), notAccount, `${expected} 0 bytes; data cut by dataSlice cannot be decoded`)
  checkRefused(
    "a slice",
    new Uint8Array(164),
    notAccount,
    `${expected} 164 bytes; data cut by dataSlice cannot be decoded`,
  )
  checkRefused("a mint", new Uint8Array(82), notAccount, `${expected} 82 bytes, the size of a mint`)
  checkRefused("a multisig", new Uint8Array(355), notAccount, `${expected} 355 bytes, the size of a multisig`)
  checkRefused(
    "a mint with extensions",
    withByte("token-2022, immutable owner", 165, 1),
    notAccount,
    `${expected} a mint with extensions`,
  )
  checkRefused(
    "another kind of account",
    withByte("token-2022, immutable owner", 165, 9),
    notAccount,
    `${expected} type 9 at byte 165`,
  )
  checkRefused(
    "an impossible state",
    withByte("approved", 108, 3),
    "corrupt",
    "state at byte 108 should be 0, 1 or 2, and is 3",
  )
  checkRefused(
    "an impossible option",
    withByte("approved", 72, 2),
    "corrupt",
    "delegate at byte 72 should be 0 or 1, and is 2",
  )
  checkRefused(
    "an extension that runs past the end",
    withByte("token-2022, immutable owner", 168, 200),
    "corrupt",
    "extension 7 at byte 170 needs 200 bytes, and 0 are left",
  )
  checkRefused(
    "an extension of the wrong size",
    withByte("token-2022, immutable owner", 166, 8),
    "corrupt",
    "extension 8 should be 1 bytes long, and is 0",
  )
  it("with a stable code", () =>
    expect(failure(() => TokenAccounts.decodeAccount(new Uint8Array(1))).code).toBe("TOK-1003"))
})

describe("data is read from every encoding", () => {
  for (const account of goldenAccounts) {
    const bytes = base64.decode(account.base64)
    it(`${account.name}: the same bytes from base64, zstd, base58 and legacy base58`, () => {
      expect(TokenAccounts.decodeData([account.base64, "base64"])).toEqual(bytes)
      expect(TokenAccounts.decodeData([account.zstd, "base64+zstd"])).toEqual(bytes)
      expect(TokenAccounts.decodeData([base58.encode(bytes), "base58"])).toEqual(bytes)
      expect(TokenAccounts.decodeData(base58.encode(bytes))).toEqual(bytes)
    })
  }
  it("a slice gives its own bytes", () =>
    expect(TokenAccounts.decodeData(["YOMWAAAAAAA=", "base64"])).toEqual(
      base64.decode(golden("approved").base64).slice(64, 72),
    ))

  checkUnreadable("base64 with a stray character", ["a*==", "base64"], /^account data is not base64: /)
  checkUnreadable("bytes that are not zstd", ["AAAAAAAA", "base64+zstd"], /^account data is not base64\+zstd: /)
  checkUnreadable("a zstd frame cut short", ["KLUv/QBYLQIAlAP8", "base64+zstd"], /^account data is not base64\+zstd: /)
  checkUnreadable("base58 with a zero", "10", /^account data is not base58: /)
  checkUnreadable("endless base58", "2".repeat(5_000), /5000 characters, the limit is 2048/)
  checkUnreadable(
    "a node's apology instead of the data",
    ["error: data too large for bs58 encoding", "base58"],
    /^the node sent "error: data too large for bs58 encoding" instead of the data; ask with base64$/,
  )
})

describe("a zstd stream that unpacks to more than any account is given up", () => {
  it("before it fills the memory", () => {
    const block = [0x02, 0x00, 0x10, 0x00]
    // A frame without a declared size, then blocks that each repeat one byte 131,072 times.
    const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, ...Array.from({ length: 200 }, () => block).flat()]
    const error = failure(() => TokenAccounts.decodeData([base64.encode(Uint8Array.from(frame)), "base64+zstd"]))
    expect(error.message).toBe("account data is not base64+zstd: more than 10485760 bytes, the most that are unpacked")
  })
  const check = (what: string, frame: ReadonlyArray<number>, message: RegExp) =>
    it(`before anything is set aside: ${what}`, () => {
      const bytes = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, ...frame])
      const before = process.memoryUsage().arrayBuffers
      expect(failure(() => TokenAccounts.decodeData([base64.encode(bytes), "base64+zstd"])).message).toMatch(message)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16_000_000)
    })
  const last = [0x01, 0x00, 0x00]
  check("a window of a gigabyte", [0x00, 20 << 3, ...last], /a window of 1073741824 bytes/)
  check("the largest window there is", [0x00, 0xff, ...last], /a window of 4123168604160 bytes/)
  check("a content of four gigabytes", [0xa0, 0xff, 0xff, 0xff, 0xff, ...last], /a window of 4294967295 bytes/)
  check(
    "a content of more than an account",
    [0x80, 0x38, 0x00, 0x00, 0xb0, 0x00, ...last],
    /the most that are unpacked/,
  )
  check(
    "a second frame with a window of a gigabyte",
    [0x00, 0x38, ...last, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, ...last],
    /more than one frame/,
  )
  it("before a text that is too long is decoded", () => {
    const long = "A".repeat(20_000_000)
    expect(failure(() => TokenAccounts.decodeData([long, "base64"])).message).toMatch(/20000000 characters, the limit/)
  })
})
