/**
 * Checks a URL that a person pastes for a network before anything else reads it.
 *
 * Invariant: no message contains the pasted text, because it may contain a key.
 */
import { urlKeys } from "@dotrpc/analysis"
import { isThisMachine } from "@dotrpc/spec"

/** Longer than any URL with a key, and short enough to be searched on every key press. */
export const longestUrl = 2_000

/** The problem of a URL, for the person who types it; `undefined` if it can be used. */
export const pastedProblem = (pasted: string): string | undefined => {
  if (pasted.length > longestUrl + 100) return `This has ${pasted.length} characters. A URL has at most ${longestUrl}.`
  const text = pasted.trim()
  if (text === "") return "Paste the URL of a server, with its key: https://… or wss://…"
  if (text.length > longestUrl) return `This has ${text.length} characters. A URL has at most ${longestUrl}.`
  if (/[\s\p{C}]/u.test(text)) return "A URL has no spaces, line breaks or invisible characters."
  if (/[{}"'`<>\\]/.test(text))
    return "A URL has no quotes, braces, angle brackets or backslashes. Paste it with the key itself: dotrpc moves the key to the secret store."
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0]
  if (scheme === undefined) return "A URL begins with https:// or wss://."
  if (!/^(?:https?|wss?):\/\/[^/?#]/i.test(text))
    return "Expected a URL that begins with https:// or wss://, or with http:// for a server on this machine."
  if (!URL.canParse(text)) return "This is not a URL: check its host and port."
  return overPlainHttp(text) && urlKeys(text).some(({ isSure }) => isSure) ? unencrypted : undefined
}

/** The URL for a configuration, without the part from `#` on, which is not sent. */
export const cleanUrl = (pasted: string): string =>
  beforeHash(pasted.trim()).replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())

const beforeHash = (text: string): string => text.split("#", 1)[0] ?? text

/** Whether anyone on the network could read the request. */
export const overPlainHttp = (url: string): boolean => {
  const { hostname, protocol } = new URL(url)
  return (protocol === "http:" || protocol === "ws:") && !isThisMachine(hostname)
}

export const unencrypted = "The key would be sent unencrypted: use https:// or wss://."
