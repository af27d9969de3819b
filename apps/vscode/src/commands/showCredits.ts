/** What was spent today in this window, by method. */
import { Price, Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Projects } from "../project/Projects.ts"
import type { Runtimes } from "../run/Runtimes.ts"

export const showCredits = async (projects: Projects, runtimes: Runtimes): Promise<void> => {
  const document = vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.parse("untitled:credits")
  const { daily, spent, remaining, resetsAt, byMethod } = await runtimes.balance(await projects.loaded(document))
  const items = Object.entries(byMethod)
    .toSorted(([, left], [, right]) => right - left)
    .map(([method, credits]) => ({ label: method, description: Price.showCredits(credits) }))
  const nothing = { label: "Nothing was spent yet", description: "" }
  await vscode.window.showQuickPick(items.length === 0 ? [nothing] : items, {
    title: `${Price.showCredits(spent)} spent in this window today`,
    placeHolder: `${Table.groupDigits(remaining)} of ${Table.groupDigits(daily)} left until ${resetsAt.toISOString().slice(11, 16)} UTC`,
  })
}
