/** The setting for the zone of times; in a remote window the extension runs where the reader is not. */
import * as vscode from "vscode"
import { showWarning } from "../Shown.ts"
import { nearest } from "@dotrpc/spec"

const read = () => readTimeZone(vscode.workspace.getConfiguration("dotrpc").get("timeZone", ""))

/** An invalid name is replaced by the machine's own zone, and reported by the next run. */
export const timeZone = (): string | undefined => {
  const chosen = read()
  return "problem" in chosen ? undefined : chosen.timeZone
}

/** An invalid name is reported, and replaced by the machine's own zone. */
export const chosenTimeZone = (): { readonly timeZone?: string | undefined } => {
  const chosen = read()
  if (!("problem" in chosen)) return chosen
  showWarning(chosen.problem)
  return {}
}

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
