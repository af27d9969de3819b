/** Wires the features together and hands everything that must be disposed of to VS Code. */
import * as vscode from "vscode"

import { registerCommands } from "./commands/Commands.ts"
import type { HostPort } from "./HostPort.ts"
import { Analyses } from "./language/Analyses.ts"
import { provideHovers } from "./language/Hovers.ts"
import { provideLenses } from "./language/Lenses.ts"
import { provideOutline } from "./language/Outline.ts"
import { provideProblems } from "./language/Problems.ts"
import { provideQuickFixes } from "./language/QuickFixes.ts"
import { provideConfigProblems } from "./project/ConfigProblems.ts"
import { EnvironmentChoices } from "./project/EnvironmentChoices.ts"
import { provideEnvironmentItem } from "./project/EnvironmentItem.ts"
import { Projects } from "./project/Projects.ts"
import { Secrets } from "./project/Secrets.ts"
import { provideDecorations } from "./results/Decorations.ts"
import { ResultDocument } from "./results/ResultDocument.ts"
import { Results } from "./results/Results.ts"
import { provideThreads } from "./results/Threads.ts"
import { provideCreditsItem } from "./run/CreditsItem.ts"
import { Runs } from "./run/Runs.ts"
import { Runtimes } from "./run/Runtimes.ts"
import { provideSectionFolding } from "./SectionFolding.ts"

export const activateWith = (host: HostPort, context: vscode.ExtensionContext): void => {
  const log = vscode.window.createOutputChannel("dotrpc", { log: true })
  log.info(`dotrpc ${String(context.extension.packageJSON.version)}`)
  const choices = new EnvironmentChoices(context.workspaceState)
  const secrets = new Secrets(context)
  const projects = new Projects(host, choices, secrets)
  const analyses = new Analyses(projects)
  const results = new Results(analyses)
  const resultDocument = new ResultDocument()
  const runtimes = new Runtimes()
  const runs = new Runs(projects, results, runtimes, log)
  context.subscriptions.push(
    log,
    choices,
    secrets,
    projects,
    results,
    resultDocument,
    provideSectionFolding(),
    provideProblems(analyses, projects),
    provideQuickFixes(analyses),
    provideOutline(analyses),
    provideHovers(analyses),
    provideConfigProblems(projects),
    provideEnvironmentItem(projects),
    provideDecorations(results),
    provideThreads(results),
    provideLenses(analyses, projects, runs),
    provideCreditsItem(runs, runtimes),
    runs,
    registerCommands({ analyses, choices, projects, resultDocument, results, runs, runtimes, secrets }),
  )
}
