/** Removes a secret from the editor's secret store, after showing the hosts that it was sent to. */
import { Redacted } from "effect"

import type { Secrets } from "../project/Secrets.ts"
import type { SecretHosts } from "../run/secretHosts.ts"
import { agrees, type Choice, pick, showInformation } from "../Shown.ts"

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
