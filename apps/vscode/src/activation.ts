/**
 * What happens when the editor first needs the extension: the commands of the manifest are registered immediately, and
 * their code is loaded once the opened file is visible. Commands that only links have come with that code.
 *
 * Invariant: this file and what it imports stay small; the features are in a bundle of their own.
 */
import * as vscode from "vscode"

import { commandsOf, type Features, type HostPort } from "./HostPort.ts"
import { notebookType } from "./project/notebookType.ts"
import { showError } from "./Shown.ts"

/** Ends what was activated. */
export interface Activated {
  readonly stop: () => Promise<void>
}

export const activateWith = (host: HostPort, context: vscode.ExtensionContext): Activated => {
  let loading: Promise<Features> | undefined
  const features = (): Promise<Features> => {
    loading ??= host.loadFeatures(context).then(({ provideFeatures }) => provideFeatures(host, context))
    return loading
  }
  for (const id of commandsOf(context.extension.packageJSON)) {
    const run = async (argument: unknown): Promise<void> => (await features()).runCommand(id, argument)
    context.subscriptions.push(
      vscode.commands.registerCommand(id, (argument: unknown) => run(argument).catch(showError)),
    )
  }
  context.subscriptions.push(registerNotebooks(async () => (await features()).notebookSerializer))
  const soon = setTimeout(() => void features().catch(showError), 0)
  context.subscriptions.push(new vscode.Disposable(() => clearTimeout(soon)))
  return { stop: async () => (await loading)?.stop() }
}

/** The editor asks for the serializer as soon as the extension is active. Results are not part of the file. */
const registerNotebooks = (serializer: () => Promise<vscode.NotebookSerializer>): vscode.Disposable =>
  vscode.workspace.registerNotebookSerializer(
    notebookType,
    {
      deserializeNotebook: async (bytes, token) => (await serializer()).deserializeNotebook(bytes, token),
      serializeNotebook: async (data, token) => (await serializer()).serializeNotebook(data, token),
    },
    { transientOutputs: true },
  )
