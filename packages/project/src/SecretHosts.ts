/**
 * Which hosts each secret belongs to: those it has been sent to with its owner's consent. A project's files say where
 * requests go, and anybody may have written them, so they do not say where a secret goes.
 *
 * A secret is its name with its value: the same name with another value, as in another project, is another secret.
 *
 * Invariant: the store contains no value, only an HMAC of it under the store's own random key.
 */
import { type PrivateUse, usesOf } from "@dotrpc/analysis"
import { type Gate, isThisMachine, Redaction } from "@dotrpc/spec"
import { Redacted } from "effect"

/** Where the text of the store is kept. A text that cannot be read counts as none. */
export interface SecretHostStore {
  /** The text that was written last; `undefined` before the first. */
  readonly read: () => Promise<string | undefined>
  /** Replaces the text. */
  readonly write: (text: string) => Promise<void>
  /** Does something while no other process writes, where several may. */
  readonly exclusively?: (<Result>(act: () => Promise<Result>) => Promise<Result>) | undefined
}

/** Whether a value may go where a request would send it. */
export interface JudgedUse {
  readonly use: PrivateUse
  /** `first`: it has not been sent anywhere yet; `other`: it has, and not there. */
  readonly verdict: "known" | "first" | "other"
  /** The hosts that it belongs to, as they may be shown. */
  readonly hosts: ReadonlyArray<string>
}

/** Judges each use once, however many requests it is of. */
export const judgeUses = async (
  uses: ReadonlyArray<PrivateUse>,
  store: SecretHostStore,
): Promise<ReadonlyArray<JudgedUse>> => {
  const content = await readContent(store)
  return Promise.all(
    distinct(uses).map(async (use): Promise<JudgedUse> => {
      const known = content.secrets[await fingerprint(use, content.salt)] ?? []
      const verdict = known.includes(await placeOf(use, content.salt))
        ? "known"
        : known.length === 0
          ? "first"
          : "other"
      return { use, verdict, hosts: known.map(shownPlace) }
    }),
  )
}

/** Makes the values of these uses belong to their hosts. */
export const recordUses = async (uses: ReadonlyArray<PrivateUse>, store: SecretHostStore): Promise<void> => {
  if (uses.length === 0) return
  await (store.exclusively?.(() => addUses(uses, store)) ?? addUses(uses, store))
}

const addUses = async (uses: ReadonlyArray<PrivateUse>, store: SecretHostStore): Promise<void> => {
  const { salt, secrets } = await readContent(store)
  const next = { ...secrets }
  for (const use of uses) {
    const key = await fingerprint(use, salt)
    next[key] = [...new Set([...(next[key] ?? []), await placeOf(use, salt)])]
  }
  await store.write(`${JSON.stringify({ version: 1, salt, secrets: next }, null, 2)}\n`)
}

/** A gate that lets nothing pass but what was released. */
export interface ReleasingGate extends Gate {
  readonly release: (uses: ReadonlyArray<PrivateUse>) => void
}

/** `whyNot` says why a use is not released, where that is known. */
export const makeGate = (whyNot: (use: PrivateUse) => string | undefined = () => undefined): ReleasingGate => {
  const released = new Set<string>()
  return {
    release: (uses) => {
      for (const use of uses) released.add(keyOf(use))
    },
    refusal: ({ destination, privates }) => {
      const held = usesOf(destination, privates).find((use) => !released.has(keyOf(use)))
      if (held === undefined) return undefined
      return whyNot(held) ?? `${held.name} was not allowed for ${shownHost(held)}`
    },
  }
}

/** What a gate says of uses that it refuses. */
export const refusedBy = (gate: Gate, uses: ReadonlyArray<PrivateUse>): ReadonlyArray<string> =>
  uses.flatMap((use) => gate.refusal({ destination: use.destination, privates: [use] }) ?? [])

/** The same secret for the same host. */
export const keyOf = ({ destination, name, value }: PrivateUse): string =>
  JSON.stringify([name, destination, Redacted.value(value)])

/** The host of a use, as it may be shown. */
export const shownHost = ({ destination, value }: PrivateUse): string => {
  const { host, hostname } = new URL(destination)
  const secret = Redacted.value(value).toLowerCase()
  const shown = secret === "" ? host : host.replaceAll(secret, Redaction.mask)
  return isEncrypted(destination) || isThisMachine(hostname) ? shown : `${shown} (unencrypted)`
}

/** Whether a list of hosts names the one of a use. A host alone is for encrypted connections; its scheme allows the others. */
export const listsHost = (hosts: ReadonlyArray<string>, { destination }: PrivateUse): boolean => {
  const { hostname, port, protocol } = new URL(destination)
  const own = port === "" ? usualPort[protocol] : port
  return hosts.some((entry) => {
    const listed = hostIn(entry)
    return (
      listed?.hostname === hostname &&
      (listed.port === undefined || listed.port === own) &&
      (listed.scheme === undefined
        ? isEncrypted(destination)
        : (destinationsOf[listed.scheme] ?? []).includes(protocol))
    )
  })
}

/** What a person adds to a list of hosts to allow a use: `mainnet.example`, `http://127.0.0.1:8545`. */
export const namedHost = ({ destination }: PrivateUse): string =>
  isEncrypted(destination) ? new URL(destination).host : destination

const isEncrypted = (destination: string): boolean => /^(?:https|rediss|postgres\+tls):/.test(destination)

const usualPort: Readonly<Record<string, string>> = {
  "https:": "443",
  "http:": "80",
  "rediss:": "6379",
  "redis:": "6379",
  "postgres+tls:": "5432",
  "postgres:": "5432",
}

/** The schemes of destinations that a scheme in a list allows. */
const destinationsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  http: ["http:"],
  ws: ["http:"],
  https: ["https:"],
  wss: ["https:"],
  redis: ["redis:"],
  rediss: ["rediss:"],
  postgres: ["postgres:", "postgres+tls:"],
  postgresql: ["postgres:", "postgres+tls:"],
}

/** Whether an entry of such a list can match anything. */
export const isHost = (entry: string): boolean => hostIn(entry) !== undefined

/** What an entry must be, in words for a message. */
export const aHost =
  "a host, such as mainnet.example or mainnet.example:8443, or http://HOST:PORT where nothing is encrypted"

interface ListedHost {
  /** Absent for every encrypted one. */
  readonly scheme: string | undefined
  readonly hostname: string
  /** Absent for every port. */
  readonly port: string | undefined
}

/** A host as a URL has it: names of other scripts in ASCII, and in lower case. */
const hostIn = (entry: string): ListedHost | undefined => {
  const [, written, name = "", port] =
    /^(?:(\w+):\/\/)?(\[[\da-f:.]+\]|[^\s/\\:@?#*%[\]]+)(?::(\d{1,5}))?$/i.exec(entry.trim()) ?? []
  const scheme = written?.toLowerCase()
  if (scheme !== undefined && destinationsOf[scheme] === undefined) return undefined
  if (!URL.canParse(`http://${name}`) || Number(port ?? 0) > 65_535) return undefined
  const { hostname } = new URL(`http://${name}`)
  return { scheme, hostname, port: port === undefined ? undefined : String(Number(port)) }
}

interface Content {
  readonly salt: string
  /** Places by the fingerprint of a secret. */
  readonly secrets: Readonly<Record<string, ReadonlyArray<string>>>
}

const distinct = (uses: ReadonlyArray<PrivateUse>): ReadonlyArray<PrivateUse> => [
  ...new Map(uses.map((use) => [keyOf(use), use])).values(),
]

const readContent = async (store: SecretHostStore): Promise<Content> => {
  const { salt, secrets } = objectIn(await store.read())
  return {
    salt: typeof salt === "string" && salt !== "" ? salt : crypto.randomUUID() + crypto.randomUUID(),
    // Without its key no fingerprint can be compared, so what was recorded is lost with it.
    secrets: typeof salt === "string" ? Object.fromEntries(Object.entries(recordOf(secrets)).filter(isPlaces)) : {},
  }
}

const isPlaces = (entry: [string, unknown]): entry is [string, ReadonlyArray<string>] =>
  Array.isArray(entry[1]) && entry[1].every((place) => typeof place === "string")

const objectIn = (text: string | undefined): Readonly<Record<string, unknown>> => {
  try {
    return recordOf(JSON.parse(text ?? "{}"))
  } catch {
    // A damaged store knows of nothing, and asks again.
    return {}
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const fingerprint = async ({ name, value }: PrivateUse, salt: string): Promise<string> =>
  `${name} ${await hmac(salt, `${name}\n${Redacted.value(value)}`)}`

/** A host that holds the secret itself is kept as a fingerprint too, beside the part that may be shown. */
const placeOf = async (use: PrivateUse, salt: string): Promise<string> => {
  const { host, protocol } = new URL(use.destination)
  const shown = shownHost(use)
  if (!shown.includes(Redaction.mask)) return `${protocol}//${host}`
  return `${protocol} ${await hmac(salt, host)} ${shown}`
}

/** The host of a place as it may be shown, which may end with words about it. */
const shownPlace = (place: string): string => {
  const [, shown] = /^[^ ]+: [\da-f]+ ([^]*)$/.exec(place) ?? []
  return shown ?? place.replace(/^[^/]*\/\//, "")
}

const hmac = async (key: string, text: string): Promise<string> => {
  const encode = (part: string) => new TextEncoder().encode(part)
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", encode(key), algorithm, false, ["sign"])
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", imported, encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
