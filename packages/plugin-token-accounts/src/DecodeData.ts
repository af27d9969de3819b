/** Account data as bytes, from any encoding. */
import { base58, base64 } from "@scure/base"
import { Decompress } from "fzstd"
import type { EncodedData } from "./AccountInfo.ts"
import { DecodeError } from "./DecodeError.ts"
import { expectAccount, tooLarge } from "./internal/zstdFrame.ts"

/** No account is larger: a longer stream is not account data, and is given up before it fills the memory. */
const largestAccount = 10 * 1024 * 1024

/**
 * The bytes of `account.data`: `[text, encoding]`, or the bare text of the legacy base58 form. Data that was cut by
 * `dataSlice` gives the slice; `decodeEntry` tells a slice from a whole account.
 *
 * Throws a {@link DecodeError} when the text is not what its encoding says, or has more than `largest` bytes: those of the
 * largest account, 10 MiB, unless given.
 */
export const decodeData = (data: EncodedData, largest: number = largestAccount): Uint8Array => {
  const [text, encoding] = typeof data === "string" ? ([data, "base58"] as const) : data
  if (text.startsWith("error:"))
    throw new DecodeError({
      reason: "encoding",
      detail: `the node sent "${text}" instead of the data; ask with base64`,
    })
  try {
    switch (encoding) {
      case "base58":
        return decodeBase58(text)
      case "base64":
        return decodeBase64(text)
      case "base64+zstd":
        return decompress(decodeBase64(text), largest)
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new DecodeError({ reason: "encoding", detail: `account data is not ${encoding}: ${detail}` })
  }
}

/** Nodes send at most 128 bytes of an account as base58, or a transaction of 1,232; decoding takes time in the square of the length. */
const longestBase58 = 2_048

/** The largest account, with room for what compressing adds to data that cannot be compressed. */
const longestBase64 = Math.ceil(largestAccount / 3) * 4 + 65_536

const decodeBase58 = (text: string): Uint8Array => {
  if (text.length > longestBase58) throw new RangeError(`${text.length} characters, the limit is ${longestBase58}`)
  return base58.decode(text)
}

const decodeBase64 = (text: string): Uint8Array => {
  if (text.length > longestBase64) throw new RangeError(`${text.length} characters, the limit is ${longestBase64}`)
  return base64.decode(text)
}

const decompress = (compressed: Uint8Array, largest: number): Uint8Array => {
  expectAccount(compressed, { window: largestAccount, content: largest })
  const chunks: Array<Uint8Array> = []
  let length = 0
  const stream = new Decompress((chunk) => {
    length += chunk.length
    if (length > largest) throw new RangeError(tooLarge(largest))
    chunks.push(chunk)
  })
  stream.push(compressed, true)
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
