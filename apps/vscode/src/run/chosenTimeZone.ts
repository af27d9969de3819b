/** The setting for the zone of times; in a remote window the extension runs where the reader is not. */
import * as vscode from "vscode"

import { readTimeZone } from "./readTimeZone.ts"
import { showWarning } from "../Shown.ts"

/** An invalid name is reported, and replaced by the machine's own zone. */
export const chosenTimeZone = (): { readonly timeZone?: string | undefined } => {
  const read = readTimeZone(vscode.workspace.getConfiguration("dotrpc").get("timeZone", ""))
  if (!("problem" in read)) return read
  showWarning(read.problem)
  return {}
}
