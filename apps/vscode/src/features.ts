/** All features, wired together: what must be disposed of is handed to VS Code. */
import * as vscode from "vscode"

import { makeCommands } from "./commands/Commands.ts"
import type { HostPort } from "./HostPort.ts"
import { Analyses } from "./language/Analyses.ts"
import { startLanguageClient } from "./language/LanguageClient.ts"
import { provideLenses } from "./language/Lenses.ts"
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

export interface Features {
  /** Does what a contributed command is for; rejects with words for the user when it cannot. */
  readonly runCommand: (id: string, argument: unknown) => Promise<void>
}

export const provideFeatures = (host: HostPort, context: vscode.ExtensionContext): Features => {
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
  const commands = makeCommands({ analyses, choices, projects, resultDocument, results, runs, runtimes, secrets })
  context.subscriptions.push(
    log,
    choices,
    secrets,
    projects,
    results,
    resultDocument,
    startLanguageClient(projects, results, log),
    provideEnvironmentItem(projects),
    provideDecorations(results),
    provideThreads(results),
    provideLenses(analyses, projects, runs),
    provideCreditsItem(runs, runtimes),
    runs,
  )
  return {
    runCommand: async (id, argument) => {
      const command = commands[id]
      if (command === undefined) throw new Error(`The command ${id} is not known.`)
      await command(argument)
    },
  }
}
