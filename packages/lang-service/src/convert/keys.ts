/**
 * Keys in the words of another tool's file.
 *
 * Invariant: no title, name, comment or problem of a converted file has a word that may be a key, wherever it stood.
 */
import { Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Converted, ConvertedSection } from "./Converted.ts"
import { withComments } from "./jsonRpc.ts"
import { keysIn, shortestKey } from "./urls.ts"

/**
 * The file, whose words are without `keys` and without what looks like one or is called one: a link to documents stays a link. In a file with
 * more keys than can be looked for they have no words, which is reported.
 */
export const withoutKeys = (converted: Converted, keys: Iterable<string> = []): Converted => {
  const secrets = secretsOf(keys)
  const hasTooMany = secrets.length > mostKeys
  // Files repeat themselves, and a search takes far longer than to know its words again.
  const known = new Map<string, string>()
  const shown = (words: string): string => {
    const found = known.get(words)
    if (found !== undefined) return found
    const clean = withoutKeyWords(
      withoutNamedKeys(words.replace(urls, (url) => Redaction.scrub(url, secretsOf(keysIn(url).filter(isKeyInUrl))))),
    )
    const masked = hasTooMany ? clean : Redaction.scrub(clean, secrets)
    known.set(words, masked)
    return masked
  }
  const shownAll = (words: ReadonlyArray<string>) => (hasTooMany ? [] : words.map(shown))
  const shownIn = ({ call, comments, name, title, ...section }: ConvertedSection): ConvertedSection => ({
    ...section,
    title: hasTooMany ? "" : shown(title),
    comments: shownAll(comments),
    name: name === undefined || shown(name) === name ? name : undefined,
    call: call && {
      ...call,
      params: withComments(call.params, shown),
      comments: shownAll(call.comments ?? []),
    },
  })
  return {
    variables: converted.variables,
    sections: converted.sections.map(shownIn),
    problems: [
      ...(hasTooMany ? [{ line: 1, message: tooManyKeys }] : []),
      ...converted.problems.map((problem) => ({ ...problem, message: shown(problem.message) })),
    ],
  }
}

/** The parts of a header's value, or of what stands for one, that are keys, for {@link withoutKeys}. */
export const keysOfHeader = (value: string): ReadonlyArray<string> =>
  [value.trim(), ...value.split(":")]
    .flatMap((part) => Redaction.secretsOfHeader(part.trim()))
    .map(Redacted.value)
    .filter((key) => key.length >= 8 || (key.length >= shortestKey && /\d/.test(key)))

/** Whether the value of a variable is a key, by its name or by itself. */
export const isKeyValue = (name: string, value: string): boolean => {
  if (/^0x[\da-f]{40}$/i.test(value) || /^\w+:\/\//.test(value)) return false
  // A transaction hash and a private key look alike.
  if (/^0x[\da-f]{0,64}$/i.test(value)) return value.length > 32 && isNameOfKey(name)
  return isNameOfKey(name) ? !/^\d{1,6}$/.test(value) : value.split(/\s/).some(isKeyWord)
}

/** `apiKey`, `ALCHEMY_KEY`, `auth_token`; not `token`, which is mostly a contract. */
export const isNameOfKey = (name: string): boolean =>
  /key|secret|passw|passphrase|mnemonic|priv|(?:^|_)pk(?:_|$)|seed|jwt|bearer|credential|^auth|(?:auth|access|api|refresh|id|bearer)[_-]?token$/i.test(
    name,
  )

/** Text without what it calls a key itself: `api_key=•••`, `# @token •••`, `Bearer •••`, `mnemonic: •••`. */
const withoutNamedKeys = (text: string): string =>
  namesBeforeKeys.reduce((rest, named) => rest.replace(named, (_, name: string) => `${name}${Redaction.mask}`), text)

const namesBeforeKeys = [
  /((?:key|token|secret|passw(?:or)?d|auth|\bpass|\bpwd)\w{0,20}["']?\s{0,4}[=:]\s{0,4}["']?(?:(?:Bearer|Basic|Token)\s{1,4})?)[^&"'\s,}]+/gi,
  // Without a sign in between, only what cannot be a word of the sentence.
  /((?:key|token|secret|passw(?:or)?d|auth)\s{1,4}(?:is\s{1,4})?["']?|\b(?:Bearer|Basic)\s{1,4})(?!0x)(?=\S{0,200}\d)(?=\S{0,200}[a-z])[^&"'\s,}]{8,}/gi,
  /((?:mnemonic|(?:seed|recovery) phrase)\b(?: is\b)?[\s:=]{1,4})\S.*/gi,
]

/** Text without words that look like keys. */
const withoutKeyWords = (text: string): string =>
  text.replace(/[^\s"'`<>(),;]{16,}/g, (part) =>
    // No key in Base64 stands in a URL, whose parts do not belong together.
    part.replace(part.includes("://") ? /[\w-]{16,}/g : /[\w+/~%-]{16,}={0,2}/g, (word) =>
      isKeyWord(word) ? Redaction.mask : word,
    ),
  )

/** Letters and digits as in no name, and neither an address nor a hash of a chain. */
const isKeyWord = (word: string): boolean =>
  word.length >= 16 &&
  !/^(?:0x|xdc)[\da-f]*$/i.test(word) &&
  !/^(?:[1-9A-HJ-NP-Za-km-z]{43,44}|[1-9A-HJ-NP-Za-km-z]{87,88})$/.test(word) &&
  (word.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0) >= 4

const isKeyInUrl = (part: string): boolean => part.length >= 8 && /\d/.test(part) && !/\{\{|%7B%7B/i.test(part)

/** Up to what ends a URL in a sentence, in quotes or in JSON. */
const urls = /\b(?:https?|wss?):\/\/[^\s"'`<>()[\]\\]+/gi

const secretsOf = (keys: Iterable<string>): Redaction.Secrets => Array.from(new Set(keys), (key) => Redacted.make(key))

/** So many different keys are looked for in words: each of them makes a search longer. */
const mostKeys = 200

const tooManyKeys = `its titles and comments are left out: its URLs have more than ${mostKeys} parts that may be keys`
