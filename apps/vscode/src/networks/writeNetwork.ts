/** Writes a network into `rpc.config.json`, and creates the file if there is none: an edit that can be undone. */
import { addNetwork, defaultConfig, type NetworkSettings } from "@dotrpc/analysis"
import type { Plugin } from "@dotrpc/spec"
import * as vscode from "vscode"

import { makeConfig } from "./createConfig.ts"

/** Rejects with a message for the user when the text has an error. */
export const writeNetwork = async (
  config: vscode.Uri,
  id: string,
  settings: NetworkSettings,
  plugins: ReadonlyArray<Plugin>,
): Promise<void> => {
  await makeConfig(config)
  const document = await vscode.workspace.openTextDocument(config)
  const wasSaved = !document.isDirty
  const text = document.getText()
  const builtIn = Object.entries(defaultConfig.networks ?? {}).filter(([, { plugin }]) =>
    plugins.some((known) => known.id === plugin),
  )
  const edits = addNetwork(text, id, settings, Object.fromEntries(builtIn))
  if (edits === undefined) {
    await vscode.window.showTextDocument(document)
    throw new Error("rpc.config.json has an error: correct it first. Nothing was added.")
  }
  const change = new vscode.WorkspaceEdit()
  for (const { end, start, text: added } of edits)
    change.replace(config, new vscode.Range(document.positionAt(start), document.positionAt(end)), added)
  if (!(await vscode.workspace.applyEdit(change)))
    throw new Error("rpc.config.json cannot be changed: is it read-only?")
  // Unsaved edits of the user stay unsaved.
  if (wasSaved) await document.save()
  const editor = await vscode.window.showTextDocument(document)
  const at = document.positionAt(document.getText().lastIndexOf(`${JSON.stringify(id)}:`))
  editor.selection = new vscode.Selection(at, at)
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport)
}
