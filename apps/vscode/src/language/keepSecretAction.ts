/** Turns the repair that takes a secret out of a file into one that also keeps its value, in the secret store. */
import type * as vscode from "vscode"

import type { TypedSecret } from "../project/Secrets.ts"

/** The action as it is, unless its only edit replaces a value by `{{$secret.NAME}}`. */
export const keepSecretAction = (
  action: vscode.CodeAction | vscode.Command,
  document: vscode.TextDocument,
): vscode.CodeAction | vscode.Command => {
  if (!("edit" in action) || action.edit === undefined) return action
  const [edit, ...others] = action.edit.get(document.uri)
  const name = /^\{\{\$secret\.(\w+)\}\}$/.exec(edit?.newText ?? "")?.[1]
  if (edit === undefined || name === undefined || others.length > 0) return action
  const value = document.getText(edit.range).replace(/^(["'])(.*)\1$/s, "$2")
  action.title = `Move to the secret store as ${name}`
  action.command = {
    title: action.title,
    command: "dotrpc.keepSecret",
    arguments: [{ name, value } satisfies TypedSecret],
  }
  return action
}
