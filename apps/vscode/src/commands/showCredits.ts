/** Brings the view of what was spent today to the front. */
import * as vscode from "vscode"

import type { Credits } from "../credits/Credits.ts"

export const showCredits = async (credits: Credits): Promise<void> => {
  await credits.open()
  await vscode.commands.executeCommand("dotrpc.credits.focus")
}
