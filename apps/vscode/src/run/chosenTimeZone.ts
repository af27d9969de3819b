/** The setting for the zone of times; in a remote window the extension runs where the reader is not. */
import * as vscode from "vscode"

import { readTimeZone } from "./readTimeZone.ts"
import { showWarning } from "../Shown.ts"

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
