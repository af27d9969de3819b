/** Keeps a value that has just been taken out of a file. */

import type { Secrets, TypedSecret } from "../project/Secrets.ts"
import { agrees, showInformation } from "../Shown.ts"

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
