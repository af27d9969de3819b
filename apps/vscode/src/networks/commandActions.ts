/** Quick fixes that run a command: to add the network that a file names, and to set the secret that it reads. */
import * as vscode from "vscode"

/** The argument of the command: the name of what is missing. */
export interface Wanted {
  readonly name: string
}

export const commandActions = (
  document: vscode.TextDocument,
  diagnostics: ReadonlyArray<vscode.Diagnostic>,
): Array<vscode.CodeAction> =>
  diagnostics.flatMap((diagnostic) => {
    const found = wanted(diagnostic.code, diagnostic.message, document.getText(diagnostic.range))
    if (found === undefined) return []
    const action = new vscode.CodeAction(found.title, vscode.CodeActionKind.QuickFix)
    const argument: Wanted = { name: found.name }
    action.command = { title: action.title, command: found.command, arguments: [argument] }
    action.diagnostics = [diagnostic]
    return [action]
  })

/** What a problem misses: a network that is unknown or has no URL, or a secret without a value. */
export const wanted = (
  code: vscode.Diagnostic["code"],
  message: string,
  marked: string,
): { readonly name: string; readonly title: string; readonly command: string } | undefined => {
  const network =
    code === "A103" ? marked : code === "A104" ? /^network "([^"]+)" has no endpoint/.exec(message)?.[1] : undefined
  if (network !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(network))
    return { name: network, title: `Add network ${network}…`, command: "dotrpc.addNetwork" }
  const secret =
    code === "A207" || code === "A104" ? /\bthe secret (\w+)(?: is not set)?:/.exec(message)?.[1] : undefined
  return secret === undefined ? undefined : { name: secret, title: `Set ${secret}…`, command: "dotrpc.setSecret" }
}

export const isWanted = (value: unknown): value is Wanted =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
