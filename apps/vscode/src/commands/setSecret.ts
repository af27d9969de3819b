/** Asks for a secret's name and value, and keeps the value in the editor's secret store. */

import { isWanted } from "../networks/commandActions.ts"
import type { Front } from "../project/Front.ts"
import type { Projects } from "../project/Projects.ts"
import type { Secrets } from "../project/Secrets.ts"
import { askText, type Choice, pick, showInformation } from "../Shown.ts"

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
