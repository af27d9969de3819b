/**
 * Asks what is a key in a pasted URL, and for the name of each.
 *
 * Invariant: no question shows a key, nor another part that may be one.
 */
import { type UrlKey, urlKeys, urlWith } from "@dotrpc/analysis"
import { providerOf } from "@dotrpc/prices"
import { Redacted } from "effect"

import type { Project } from "../project/Project.ts"
import type { Secrets } from "../project/Secrets.ts"
import { askText, pick, showError } from "../Shown.ts"
import { overPlainHttp, unencrypted } from "./pastedUrl.ts"
import { proposedSecret, secretProblem } from "./proposals.ts"

export interface NamedKey {
  readonly name: string
  readonly value: Redacted.Redacted<string>
}

/** A URL as a configuration has it, and the keys that it names. */
export interface NamedUrl {
  readonly written: string
  readonly keys: ReadonlyArray<NamedKey>
}

/** `change` when the URL cannot be used, `undefined` when the person gave up. */
export const askKeys = async (
  secrets: Secrets,
  project: Project,
  url: string,
): Promise<NamedUrl | "change" | undefined> => {
  const found = urlKeys(url)
  const keys: Array<UrlKey> = []
  for (const key of found) {
    const isKey = key.isSure || (await askWhetherKey(url, found, key))
    if (isKey === undefined) return undefined
    if (isKey) keys.push(key)
  }
  if (keys.length > 0 && overPlainHttp(url)) {
    showError(unencrypted)
    return "change"
  }
  // A key that is repeated has one name.
  const names = new Map<string, string>()
  for (const key of keys) {
    const value = Redacted.value(key.value)
    if (names.has(value)) continue
    const title = keys.length === 1 ? "Name of the key" : `Name of the key ••• in ${masked(url, found, key)}`
    const name = await askName(secrets, project, url, value, names, title)
    if (name === undefined) return undefined
    names.set(value, name)
  }
  return {
    written: urlWith(url, keys, ({ value }) => `{{$secret.${names.get(Redacted.value(value)) ?? ""}}}`),
    keys: [...names].map(([value, name]) => ({ name, value: Redacted.make(value) })),
  }
}

const askWhetherKey = (url: string, found: ReadonlyArray<UrlKey>, key: UrlKey): Promise<boolean | undefined> =>
  pick(
    [
      { label: "It is a key", description: "it goes to the secret store", value: true },
      { label: "It is not a key", description: "it is written into rpc.config.json", value: false },
    ],
    { title: `Is ••• in ${masked(url, found, key)} a key?`, ignoreFocusOut: true },
  )

/** The key in question is `•••`, and every other one is `…`. */
const masked = (url: string, found: ReadonlyArray<UrlKey>, asked: UrlKey): string =>
  urlWith(url, found, (key) => (key === asked ? "•••" : "…"))

const askName = async (
  secrets: Secrets,
  project: Project,
  url: string,
  value: string,
  names: ReadonlyMap<string, string>,
  title: string,
): Promise<string | undefined> => {
  const { hostname } = new URL(url)
  const known = secrets.names.find((name) => secrets.value(name) === value)
  const isTaken = (name: string): boolean => {
    if ([...names.values()].includes(name)) return true
    const found = secrets.value(name) ?? readSecret(project, name)
    return found !== undefined && found !== value
  }
  const name = await askText({
    title,
    value: known ?? proposedSecret(hostname, providerOf(hostname), isTaken),
    prompt: "The key goes to the secret store of this machine, and rpc.config.json has {{$secret.NAME}}.",
    ignoreFocusOut: true,
    validateInput: (text) => secretProblem(text.trim(), isTaken),
  })
  return name?.trim()
}

const readSecret = ({ workspace }: Project, name: string): string | undefined => {
  const found = workspace.secret(name)
  return found === undefined ? undefined : Redacted.value(found)
}
