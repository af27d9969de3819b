/** Why a plan may not run here, before anything is tried. */
import type { Plan } from "@dotrpc/runner"
import { Redacted } from "effect"

/** The words for the user; `undefined` when it may run. In a folder that is not trusted, only the embedded gateway answers. */
export const refusalOf = (plan: Plan, isTrusted: boolean): string | undefined => {
  if (isTrusted) return undefined
  const sends = plan.requests.some(({ network }) => {
    const address = network?.url
    return network !== undefined && (address === undefined || !Redacted.value(address).startsWith("embedded:"))
  })
  const reads = plan.requests.some(({ errors }) => errors.some(({ code }) => needsPrivateValues.has(code)))
  if (!sends && !reads) return undefined
  return "This folder is not trusted, so no keys are read and nothing is sent to a network. Trust the folder to run this request; requests to the embedded gateway run without."
}

/** Variables and secrets count as unset while the folder is not trusted. */
const needsPrivateValues = new Set(["A206", "A207"])
