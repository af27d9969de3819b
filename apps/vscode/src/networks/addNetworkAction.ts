/** Offers to add the network that a file names and the configuration does not have. */
import * as vscode from "vscode"

/** The argument of the command that adds a network. */
export interface WantedNetwork {
  readonly name: string
}

export const addNetworkActions = (
  document: vscode.TextDocument,
  diagnostics: ReadonlyArray<vscode.Diagnostic>,
): Array<vscode.CodeAction> =>
  diagnostics.flatMap((diagnostic) => {
    const name = wantedName(diagnostic.code, diagnostic.message, document.getText(diagnostic.range))
    if (name === undefined) return []
    const action = new vscode.CodeAction(`Add network ${name}…`, vscode.CodeActionKind.QuickFix)
    const wanted: WantedNetwork = { name }
    action.command = { title: action.title, command: "dotrpc.addNetwork", arguments: [wanted] }
    action.diagnostics = [diagnostic]
    return [action]
  })

/** The marked name of an unknown network, or the name in the message for a network without a URL. */
export const wantedName = (code: vscode.Diagnostic["code"], message: string, marked: string): string | undefined => {
  const named =
    code === "A103" ? marked : code === "A104" ? /^network "([^"]+)" has no endpoint/.exec(message)?.[1] : ""
  return named !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(named) ? named : undefined
}

export const isWantedNetwork = (value: unknown): value is WantedNetwork =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
