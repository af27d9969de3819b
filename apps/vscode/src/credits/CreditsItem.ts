/** In the status bar: the credits that are left today, what was spent, and when the balance resets. */
import * as vscode from "vscode"

import type { Credits } from "./Credits.ts"
import { balanceLine, balanceSentences } from "./creditsWords.ts"

/** Below this share of the day the entry asks to be looked at. */
const lowShare = 0.1

export const provideCreditsItem = (credits: Credits): vscode.Disposable => {
  const item = vscode.window.createStatusBarItem("dotrpc.credits", vscode.StatusBarAlignment.Right, 90)
  item.name = "dotrpc credits"
  item.command = "dotrpc.showCredits"
  const show = () => {
    const { standing } = credits
    if (standing === undefined) return item.hide()
    if ("why" in standing) {
      item.text = "$(warning) credits unknown"
      item.tooltip = `${standing.why}\n${standing.advice}`
      item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground")
    } else {
      const { remaining, daily } = standing.balance
      const now = Date.now()
      item.text = `$(pulse) ${balanceLine(standing, now)}`
      item.tooltip = balanceSentences(standing, now).join("\n")
      item.backgroundColor =
        remaining < daily * lowShare ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined
    }
    item.show()
  }
  show()
  return vscode.Disposable.from(item, credits.onDidChange(show))
}
