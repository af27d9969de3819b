/** The zone that times are shown in, as a person writes it: nothing for the machine's own, or a name such as Europe/Paris. */
import { nearest } from "@dotrpc/spec"

export type ReadTimeZone = { readonly timeZone?: string | undefined } | { readonly problem: string }

export const readTimeZone = (text: string): ReadTimeZone => {
  const timeZone = text.trim()
  if (timeZone === "") return {}
  try {
    return { timeZone: new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone }
  } catch {
    const meant = nearest(timeZone, Intl.supportedValuesOf("timeZone"))
    const advice = meant === undefined ? "expected a name such as Europe/Paris or UTC." : `did you mean "${meant}"?`
    return { problem: `dotrpc.timeZone is "${timeZone}": ${advice} Until then the zone of this machine is used.` }
  }
}
