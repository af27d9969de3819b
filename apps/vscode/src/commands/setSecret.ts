/** Asks for a secret's name and value, and keeps the value in the editor's secret store. */

import type { Secrets } from "../project/Secrets.ts"
import { askText, pick, showInformation } from "../Shown.ts"

export const chooseSecret = async (secrets: Secrets): Promise<void> => {
  const name = await askName(secrets)
  if (name !== undefined) await setSecret(secrets, name)
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

const askName = async (secrets: Secrets): Promise<string | undefined> => {
  const { names } = secrets
  const another = "Another secret…"
  const picked =
    names.length === 0
      ? another
      : await pick(
          [...names, another].map((name) => ({ label: name, value: name })),
          { title: "Which secret?", ignoreFocusOut: true },
        )
  if (picked !== another) return picked
  return askText({
    title: "Name of the secret",
    placeHolder: "API_KEY",
    prompt: "As it is written in {{$secret.NAME}}",
    ignoreFocusOut: true,
    validateInput: (text) => (/^[A-Za-z_]\w*$/.test(text) ? undefined : "Letters, digits and _, as in API_KEY."),
  })
}
