/** The commands of the extension, by their ids in the manifest. A command that cannot do its work says why. */
import * as vscode from "vscode"
import type { Credits } from "../credits/Credits.ts"
import type { Analyses } from "../project/Analyses.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import type { EnvironmentChoices } from "../project/EnvironmentChoices.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import type { Notebooks } from "../notebook/Notebooks.ts"
import { addNetwork } from "../networks/addNetwork.ts"
import type { Front } from "../project/Front.ts"
import type { Projects } from "../project/Projects.ts"
import type { Secrets } from "../project/Secrets.ts"
import type { ResultDocument } from "../results/ResultDocument.ts"
import { makeResultCommands } from "./resultCommands.ts"
import type { Results } from "../results/Results.ts"
import type { Panes } from "../pane/Panes.ts"
import { runDocument } from "../results/runDocument.ts"
import { chooseRecordings, stopRecordings } from "../recordings/chooseRecordings.ts"
import type { Recordings } from "../project/Recordings.ts"
import type { Runs } from "../run/Runs.ts"
import type { Runtimes } from "../run/Runtimes.ts"
import type { SecretHosts } from "../run/secretHosts.ts"
import { cancel, activeEditor, isResultTarget, resolveLine, resolveTargets } from "./Target.ts"
import type { Commands } from "../HostPort.ts"
import { createConfig } from "../networks/createConfig.ts"
import { copyAsCurl } from "./copyAsCurl.ts"
import { openNotebook, openText } from "./openNotebook.ts"
import { keepSecret, removeSecret, chooseSecret } from "./secrets.ts"
import { openSample } from "./openSample.ts"
import { selectEnvironment } from "./selectEnvironment.ts"
import { showPlan } from "./showPlan.ts"
import { runAll } from "./runAll.ts"

/** What the commands work on. */
export interface CommandParts {
  readonly analyses: Analyses
  readonly choices: EnvironmentChoices
  readonly credits: Credits
  /** Where the extension lies. */
  readonly extension: vscode.Uri
  readonly files: ImportedFiles
  readonly panes: Panes
  readonly front: Front
  readonly names: KeptNames
  readonly notebooks: Notebooks
  readonly projects: Projects
  readonly recordings: Recordings
  readonly resultDocument: ResultDocument
  readonly results: Results
  readonly runs: Runs
  readonly runtimes: Runtimes
  readonly secretHosts: SecretHosts
  readonly secrets: Secrets
}

export const makeCommands = (parts: CommandParts): Commands => {
  const { analyses, files, projects, recordings, results, runs, secrets, choices, credits } = parts
  return {
    ...makeResultCommands(parts),
    "dotrpc.run": async (argument) => {
      const result = isResultTarget(argument) ? results.get(argument.result) : undefined
      if (result !== undefined && (await parts.notebooks.run(result))) return
      const { document, requests } = await resolveTargets(argument, analyses, results)
      await runDocument(runs, results, document, requests)
    },
    "dotrpc.runWithSources": async (argument) => {
      const { document, requests } = await resolveTargets(argument, analyses, results)
      await runDocument(runs, results, document, requests, { paysAgain: true })
    },
    "dotrpc.runAll": () => runAll(runs, results, parts.extension),
    "dotrpc.runLine": async (argument) => {
      const { document, requests } = await resolveLine(argument, analyses)
      await runDocument(runs, results, document, requests)
    },
    "dotrpc.runAgain": () => runs.again(),
    "dotrpc.openNotebook": (argument) => openNotebook(argument),
    "dotrpc.openText": () => openText(),
    "dotrpc.cancel": async (argument) => cancel(argument, results, runs),
    "dotrpc.dryRun": () => showPlan(activeEditor(), analyses, projects),
    "dotrpc.copyAsCurl": async (argument) => {
      const { document, requests } = await resolveTargets(argument, analyses, results)
      await copyAsCurl(document, requests[0] ?? 0, projects, files, results)
    },
    "dotrpc.openSample": async () => {
      await openSample(parts.extension)
    },
    "dotrpc.createConfig": () => createConfig(),
    "dotrpc.addNetwork": (argument) => addNetwork(parts, argument),
    "dotrpc.insertRequest": () => insertRequest(activeEditor()),
    "dotrpc.selectEnvironment": () => selectEnvironment(projects, choices, parts.front),
    "dotrpc.recordRuns": () => chooseRecordings(recordings, "record"),
    "dotrpc.replayRuns": () => chooseRecordings(recordings, "replay"),
    "dotrpc.stopRecordings": () => stopRecordings(recordings),
    "dotrpc.setSecret": (argument) => chooseSecret(parts, argument),
    "dotrpc.removeSecret": () => removeSecret(secrets, parts.secretHosts),
    "dotrpc.keepSecret": (argument) => keepSecret(secrets, argument),
    "dotrpc.showCredits": () => showCredits(credits),
  }
}

const insertRequest = async (editor: vscode.TextEditor): Promise<void> => {
  await editor.insertSnippet(new vscode.SnippetString(snippet))
}

const snippet = `### \${1:Logs of a block}
# @network \${2:evm}
\${3:eth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x1" \\}]}
$0`

const showCredits = async (credits: Credits): Promise<void> => {
  await credits.open()
  await vscode.commands.executeCommand("dotrpc.credits.focus")
}
