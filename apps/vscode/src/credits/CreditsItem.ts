/** In the status bar: the credits that are left today, what was spent, and when the balance resets. */
import * as vscode from "vscode"

import type { Credits } from "./Credits.ts"
import { balanceLine, balanceSentences } from "./creditsWords.ts"
import { statusEntry } from "../Shown.ts"

/** Below this share of the day the entry asks to be looked at. */
const lowShare = 0.1

export const provideCreditsItem = (credits: Credits): vscode.Disposable => {
  const item = statusEntry("dotrpc.credits", "dotrpc credits", 90, "dotrpc.showCredits")
  const show = () => {
    const { standing } = credits
    if (standing === undefined) return item.hide()
    if ("why" in standing) {
      const background = new vscode.ThemeColor("statusBarItem.errorBackground")
      item.show("warning", "credits unknown", `${standing.why}\n${standing.advice}`, background)
    } else {
      const { remaining, daily } = standing.balance
      const now = Date.now()
      const sentences = [...balanceSentences(standing, now), `Counted for ${credits.counted}.`]
      const background =
        remaining < daily * lowShare ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined
      item.show("pulse", balanceLine(standing, now), sentences.join("\n"), background)
    }
  }
  show()
  return vscode.Disposable.from(item, credits.onDidChange(show))
}
