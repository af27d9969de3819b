/**
 * Keys that are written into `rpc.config.json`, which everyone reads who has the project.
 *
 * Invariant: no message contains what was found; the value itself is returned, redacted, so that it can be stored
 * elsewhere.
 */
import type { Fix, Span } from "@dotrpc/lang"
import { keyInHeader, type ParamPath } from "@dotrpc/spec"
import { Redacted } from "effect"
import { decodedKey, isSecret, keyNameOf, keysInUrls, secretName } from "./internal/exposed.ts"
import { type JsoncString, stringsIn } from "./internal/jsonc.ts"
import type { ConfigProblem } from "./ProjectConfig.ts"

/** A key that is written into a configuration, where it stands. */
export interface ConfigKey extends ConfigProblem {
  readonly code: "A501"
  /** Absent where the configuration takes no secret, such as among variables: the message says where it does. */
  readonly move?: KeyMove | undefined
}

/** What takes a key out of the file. */
export interface KeyMove {
  /** The secret that it becomes. */
  readonly name: string
  /** The value to keep as the secret: a URL encodes it again, a header does not. */
  readonly value: Redacted.Redacted<string>
  /** Replaces the key by the name of the secret wherever it is written. */
  readonly fix: Fix
}

/**
 * Every place of a configuration's text that looks like a key.
 *
 * @example
 * ```ts
 * const [key] = keysInConfig('{ "networks": { "main": { "url": "https://node.example/v3/0a1b2c3d4e5f6a7b" } } }')
 * key?.move?.name // MAIN_KEY
 * ```
 */
export const keysInConfig = (text: string): ReadonlyArray<ConfigKey> => {
  const strings = stringsIn(text)
  const variables = strings.filter(({ path }) => path[0] === "environments" && path[2] === "vars")
  const holderOf = (span: Span) => strings.find(({ start, end }) => start <= span.start && span.end <= end)
  const urls = keysInUrls(text)
  const isInVariable = (span: Span) => variables.some((variable) => variable === holderOf(span))
  const headers = strings.flatMap((string) => keyInHeaderString(string, text))
  // A header may contain a URL: its key is then reported as the key of the header.
  const movable = [
    ...urls.filter(
      (span) => !isInVariable(span) && !headers.some(({ start, end }) => start < span.end && span.start < end),
    ),
    ...headers,
  ]
  const taken = new Set([...text.matchAll(/\$secret\.(\w+)/g)].map(([, name = ""]) => name))
  const names = new Map<string, string>()
  const found = movable.map((span): ConfigKey => {
    const key = text.slice(span.start, span.end)
    const holder = holderOf(span)
    const isPostgres = holder !== undefined && text.startsWith("postgres", holder.start)
    const name = names.get(key) ?? freeName(urlName(holder?.path ?? [], isPostgres), taken)
    names.set(key, name)
    taken.add(name)
    const places = movable.filter(({ start, end }) => text.slice(start, end) === key)
    const isHeader = headers.includes(span)
    const what = isHeader ? "a header" : "a URL"
    const message = `the file contains ${what} with a key: write $secret.${name} instead, and replace the key`
    const value = Redacted.make(isHeader ? unescaped(key) : decodedKey(key))
    return { code: "A501", message, ...span, move: { name, value, fix: replacing(places, name) } }
  })
  const values = variables.filter(({ path, start, end }) => isSecretText(text.slice(start, end), nameOf(path)))
  return [
    ...found,
    ...values.map((variable) => keyInVariable(variable, nameOf(variable.path))),
    ...urls.filter(isInVariable).map((span) => keyInVariable(span, nameOf(holderOf(span)?.path ?? []))),
  ].toSorted((left, right) => left.start - right.start)
}

const replacing = (places: ReadonlyArray<Span>, name: string): Fix => ({
  title: `Replace with $secret.${name}, set outside the file`,
  edits: places.map(({ start, end }) => ({ start, end, text: `{{$secret.${name}}}` })),
})

/** Variables of an environment are plain values. */
const keyInVariable = ({ start, end }: Span, name: string): ConfigKey => ({
  code: "A501",
  message: `the file contains a value that looks like a secret: remove it, write {{$secret.${secretName(name)}}} where requests use ${name}, and replace the key`,
  start,
  end,
})

const isSecretText = (text: string, name: string): boolean => !text.includes("{{") && isSecret(text, name)

/** The innermost name on the way to a value. */
const nameOf = (path: ParamPath): string => String(path.findLast((part) => typeof part === "string") ?? "")

/** After the network whose URL it is, or the server of the ledger. */
const urlName = (path: ParamPath, isPostgres: boolean): string => {
  if (path[0] !== "ledger") return keyNameOf(ownersOf(path))
  return isPostgres ? "POSTGRES_PASSWORD" : "REDIS_PASSWORD"
}

const ownersOf = ([room, id, ...rest]: ParamPath): ReadonlyArray<string | number> => {
  if (id === undefined) return []
  if (room === "networks") return [id]
  return room === "environments" ? [id, ...ownersOf(rest)] : []
}

const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let number = 1
  const numbered = () => (number === 1 ? name : `${name}_${number}`)
  while (taken.has(numbered())) number++
  return numbered()
}

/** The key of a string that is a header of a network. */
const keyInHeaderString = ({ end, path, start }: JsoncString, text: string): ReadonlyArray<Span> => {
  const at = path.indexOf("networks")
  if ((at !== 0 && !(at === 2 && path[0] === "environments")) || path[at + 2] !== "headers") return []
  if (path.length !== at + 4) return []
  const value = text.slice(start, end)
  const key = keyInHeader(String(path[at + 3]), value)
  if (key === undefined) return []
  const from = start + value.lastIndexOf(key)
  return [{ start: from, end: from + key.length }]
}

/** The value of a JSON string. */
const unescaped = (text: string): string => {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // The file is half typed.
    return text
  }
}
