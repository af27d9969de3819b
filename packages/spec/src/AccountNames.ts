/**
 * The names that accounts give themselves, such as those of ENS: how a plugin looks them up, and how they are shown.
 *
 * Invariant: a name is text of a stranger. It is shown only if it reads as a name, is no longer than {@link longestName}
 * characters, and cannot be mistaken for an address; letters other than those of ASCII are shown by their numbers.
 */
import { labelProblem } from "./AddressLabels.ts"
import type { Json } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { Network } from "./Network.ts"

/** How the names of accounts are looked up. Each call is priced and limited like any other, and nothing looks up names by itself. */
export interface NamesReader {
  /** Of the service that keeps the names: `ENS`. */
  readonly title: string
  /** Whether the network has this service. */
  readonly isOn: (network: Pick<Network, "chainId">) => boolean
  /** The account as it is looked up, from any spelling; `undefined` for what has no name. */
  readonly account: (text: string) => string | undefined
  /** How many rounds of calls follow one another at most; each has one call or none for an account. */
  readonly rounds: number
  /** The first calls for these accounts. */
  readonly lookUp: (accounts: ReadonlyArray<string>) => NamesStep
}

/** The next calls of a look-up, or what it found: names by account, as they were registered, of those that have one. */
export type NamesStep =
  | {
      readonly calls: ReadonlyArray<{ readonly method: Method; readonly params: Json }>
      /** Takes the answers in the order of the calls; the answer of a refused call is `undefined`. */
      readonly next: (answers: ReadonlyArray<Json | undefined>) => NamesStep
    }
  | { readonly names: Readonly<Record<string, string>> }

/** The most characters of a name that is shown. */
export const longestName = 60

/**
 * A registered name as it is shown. A letter outside ASCII, which may look like another one, becomes its number. `undefined`
 * for a name that is not shown at all: one that is too long, not in the normal form of ENSIP-15 as far as ASCII goes, or
 * that reads like an address.
 *
 * @example
 * ```ts
 * shownName("treasury.eth") // "treasury.eth"
 * shownName("tre\u0430sury.eth") // "tre\\u{430}sury.eth"
 * shownName("0x5fbdb2.eth") // undefined
 * ```
 */
export const shownName = (name: string): string | undefined => {
  if (name.length > longestName || !name.includes(".") || !name.split(".").every(isLabel)) return undefined
  const shown = [...name].map((letter) => (letter < "\u007f" ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`))
  const text = shown.join("")
  return text.length > longestName || labelProblem(name) !== undefined ? undefined : text
}

/** Lower case, without spaces, control characters and marks that steer a reader; `xn--` would be another spelling of a name. */
const isLabel = (label: string): boolean =>
  /^_*[a-z0-9$-]+$/.test(label) ? label.slice(2, 4) !== "--" : isForeign(label)

/** Letters of other alphabets, beside those of ASCII. */
const isForeign = (label: string): boolean => /^[a-z0-9$_\-\u{a1}-\u{10ffff}]+$/u.test(label)
