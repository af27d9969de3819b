/** Sets, keeps and removes values in the editor's secret store: none of them is ever shown. */
import { isWanted } from "../networks/commandActions.ts"
import type { Front } from "../project/Front.ts"
import type { Projects } from "../project/Projects.ts"
import type { Secrets, TypedSecret } from "../project/Secrets.ts"
import { askText, type Choice, pick, showInformation, agrees } from "../Shown.ts"
import { Redacted } from "effect"
import type { SecretHosts } from "../run/secretHosts.ts"

export interface SecretParts {
  readonly front: Front
  readonly projects: Projects
  readonly secrets: Secrets
}

export const chooseSecret = async (parts: SecretParts, argument: unknown): Promise<void> => {
  const { secrets } = parts
  await secrets.load()
  const name = isWanted(argument) ? argument.name : await askName(secrets, await textsInUse(parts))
  if (name !== undefined) await setSecret(secrets, name)
}

/** The configurations of this window, and the file in front. */
const textsInUse = async ({ front, projects }: SecretParts): Promise<ReadonlyArray<string>> => {
  const place = await front.place()
  return [
    ...(place === undefined ? [] : [place.analysis.tree.tokens.text]),
    ...projects.configured.flatMap(({ configFile }) => configFile?.text ?? []),
  ]
}

/** Of a secret that has a name. */
export const setSecret = async (secrets: Secrets, name: string): Promise<void> => {
  const value = await askText({
    title: `Value of ${name}`,
    prompt: "It is kept in the secret store of this machine, never in a file or a log.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "Enter a value." : undefined),
  })
  if (value === undefined) return
  try {
    await secrets.set(name, value.trim())
  } catch {
    // The store's own message may quote what it was given.
    throw new Error(
      `The secret store of this machine does not work. Set the environment variable ${name}, or add it to .env beside rpc.config.json.`,
    )
  }
  showInformation(`${name} is stored. Write {{$secret.${name}}} where it is needed.`)
}

const askName = async (secrets: Secrets, texts: ReadonlyArray<string>): Promise<string | undefined> => {
  const another = { label: "Another secret…", value: "" }
  const choices = namesToSet(texts, secrets)
  const picked =
    choices.length === 0 ? "" : await pick([...choices, another], { title: "Which secret?", ignoreFocusOut: true })
  if (picked !== another.value) return picked
  return askText({
    title: "Name of the secret",
    placeHolder: "API_KEY",
    prompt: "As it is written in {{$secret.NAME}}; its value is asked for next, and not shown",
    ignoreFocusOut: true,
    validateInput: nameProblem,
  })
}

/** Names that texts use, those without a value first, and then the others that are stored. */
export const namesToSet = (
  texts: ReadonlyArray<string>,
  store: Pick<Secrets, "names" | "value">,
): ReadonlyArray<Choice<string>> => {
  const used = texts.flatMap((text) => [...text.matchAll(/\$secret\.([A-Za-z_]\w*)/g)].map(([, name = ""]) => name))
  const describe = (name: string): string => (store.value(name) === undefined ? "not in the store" : "stored")
  return [...new Set([...used, ...store.names])]
    .map((name) => ({ label: name, value: name, description: describe(name) }))
    .toSorted((left, right) => Number(left.description === "stored") - Number(right.description === "stored"))
}

/** A key that is pasted where its name belongs would be seen, and kept as a name. */
export const nameProblem = (text: string): string | undefined => {
  if (/\d.*\d.*\d/.test(text) && text.length >= 20)
    return "This looks like a key: give it a name first, such as API_KEY."
  return /^[A-Za-z_]\w*$/.test(text) ? undefined : "Letters, digits and _, as in API_KEY."
}

export const keepSecret = async (secrets: Secrets, argument: unknown): Promise<void> => {
  if (!isTypedSecret(argument)) throw new Error('Use "dotrpc: Set Secret" to store a value.')
  const { name, value } = argument
  await secrets.load()
  const known = secrets.value(name)
  if (known !== undefined && known !== value) {
    const detail = "The secret store already has another value under this name."
    if (!(await agrees(`Replace ${name}?`, "Replace", detail))) return
  }
  try {
    await secrets.set(name, value)
  } catch {
    // The store's own message may quote what it was given.
    throw new Error(
      `The secret store of this machine does not work. Undo to restore the value, and set the environment variable ${name}, or add it to .env beside rpc.config.json.`,
    )
  }
  showInformation(`${name} is stored. Replace the key at its provider if the file was shared.`)
}

const isTypedSecret = (value: unknown): value is TypedSecret =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "value" in value &&
  typeof value.value === "string"

export const removeSecret = async (secrets: Secrets, hosts: Pick<SecretHosts, "hostsOf">): Promise<void> => {
  await secrets.load()
  const choices = await secretChoices(secrets, hosts)
  if (choices.length === 0) return showInformation("There is no secret to remove.")
  const name = await pick(choices, { title: "Remove which secret?", ignoreFocusOut: true })
  if (name === undefined) return
  const detail = `Requests that use {{$secret.${name}}} do not run until it is set again. The key stays valid at its provider.`
  if (!(await agrees(`Remove ${name}?`, "Remove", detail))) return
  try {
    await secrets.remove(name)
  } catch {
    // The store's own message may quote the value.
    throw new Error(`The secret store of this machine does not work: ${name} was not removed.`)
  }
  showInformation(`${name} was removed from the secret store.`)
}

/** Every name, with the hosts that its value was sent to. */
export const secretChoices = (
  secrets: Pick<Secrets, "names" | "value">,
  hosts: Pick<SecretHosts, "hostsOf">,
): Promise<ReadonlyArray<Choice<string>>> =>
  Promise.all(
    secrets.names.map(async (name) => {
      const found = secrets.value(name)
      const known = found === undefined ? [] : await hosts.hostsOf(name, Redacted.make(found))
      const description = known.length === 0 ? "not sent anywhere yet" : `sent to ${known.join(", ")}`
      return { label: name, value: name, description: found === undefined ? "has no value" : description }
    }),
  )
