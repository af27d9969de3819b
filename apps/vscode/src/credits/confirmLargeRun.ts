/** Asks before a run that would take more than the chosen share of what is left today. */
import type { RunPlan } from "@dotrpc/runner"
import * as vscode from "vscode"

import type { Project } from "../project/Project.ts"
import { largeRunWords } from "./largeRun.ts"
import type { Ledgers } from "./Ledgers.ts"
import { agrees } from "../Shown.ts"

/** Whether to continue with a run. */
export type ConfirmRun = (plan: RunPlan, project: Project, document: vscode.Uri) => Promise<boolean>

export const confirmLargeRun =
  (ledgers: Ledgers): ConfirmRun =>
  async (plan, project, document) => {
    const share = vscode.workspace.getConfiguration("dotrpc", document).get<number>("credits.warnShare", 0)
    if (share <= 0) return true
    // A ledger that does not answer refuses the run in its own words.
    const known = await ledgers.balance(project).catch(() => undefined)
    const words = known === undefined ? undefined : largeRunWords(plan, known.balance.remaining, share)
    if (words === undefined) return true
    const detail = "The setting dotrpc.credits.warnShare controls when to ask."
    return agrees(words, "Run", detail)
  }
