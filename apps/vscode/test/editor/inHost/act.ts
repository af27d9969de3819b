/** Takes an action of the light bulb, and all that it does. */
import * as vscode from "vscode"

import { until } from "./until.ts"

/** The mark of a problem may stand before the answer about it is there, so the action is asked for until it is offered. */
export const act = async (uri: vscode.Uri, range: vscode.Range, title: string): Promise<void> => {
  const action = await until(`the action "${title}"`, async () => {
    const command = "vscode.executeCodeActionProvider"
    const offered = await vscode.commands.executeCommand<ReadonlyArray<vscode.CodeAction>>(command, uri, range)
    return offered.find((each) => each.title === title)
  })
  if (action.edit === undefined || action.command === undefined) throw new Error(`"${title}" does nothing.`)
  await vscode.workspace.applyEdit(action.edit)
  await vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []))
}
