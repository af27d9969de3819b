/** The keys and slots of the made-up account-model network, which are the same for every seed. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"

/** A key that is the hash of a name: the same for every seed, and nobody has its secret. */
export const namedKey = (name: string): string => base58.encode(sha256(utf8ToBytes(`dotrpc ${name}`)))

/** The two delegates whose accounts are made to be asked for. */
export const sampleDelegates = {
  /** Has accounts of every mint, in every state. */
  market: namedKey("delegate market"),
  /** Has a few accounts of the mints `dollar`, `wrapped` and `taxed`. */
  savings: namedKey("delegate savings"),
} as const

/** The mints of the network, by what is special about them. */
export const sampleMints = {
  /** 6 decimals. */
  dollar: namedKey("mint dollar"),
  /** 9 decimals. */
  gem: namedKey("mint gem"),
  /** No decimals, and amounts up to 2^64 - 1. */
  ticket: namedKey("mint ticket"),
  /** 19 decimals: more than fit in 2^64 - 1. */
  dust: namedKey("mint dust"),
  /** The network's own token, 9 decimals. */
  wrapped: "So11111111111111111111111111111111111111112",
  /** 2 decimals, of the program with extensions, with a fee on transfers. */
  taxed: namedKey("mint taxed"),
} as const

export type MintName = keyof typeof sampleMints

export const decimalsOf: Readonly<Record<MintName, number>> = {
  dollar: 6,
  gem: 9,
  ticket: 0,
  dust: 19,
  wrapped: 9,
  taxed: 2,
}

/** May mint, and keeps what is left of every token. */
export const sampleTreasurer = namedKey("mint authority")

/** The account in which the treasurer keeps what is left of a token. */
export const treasuryOf = (name: MintName): string => namedKey(`treasury ${name}`)

/** The slot that each commitment reads. */
export const slots = { finalized: 312_400_000, confirmed: 312_400_030, processed: 312_400_032 } as const

/** The oldest slot whose block is kept. */
export const FIRST_SLOT = 312_399_851
