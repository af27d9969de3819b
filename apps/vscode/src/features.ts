/** All features, wired together: what must be disposed of is handed to VS Code. */
import { CreditLedger, FinalResults, RangeScan } from "@dotrpc/core"
import { makeGate, type SecretHostStore } from "@dotrpc/project"
import { keptUnits, spentBy } from "@dotrpc/runner"
import { makeSession } from "@dotrpc/session"
import type { KeptText } from "@dotrpc/spec"
import * as vscode from "vscode"

import { makeBackfillCommands } from "./backfills/backfillCommands.ts"
import { BackfillFolders } from "./backfills/BackfillFolders.ts"
import { provideBackfillsView } from "./backfills/BackfillsView.ts"
import { provideChecks } from "./checks/Checks.ts"
import { makeCommands } from "./commands/Commands.ts"
import { confirmLargeRun } from "./credits/confirmLargeRun.ts"
import { Credits } from "./credits/Credits.ts"
import { provideCreditsItem } from "./credits/CreditsItem.ts"
import { provideCreditsView } from "./credits/CreditsView.ts"
import { FilesSpending } from "./credits/FilesSpending.ts"
import type { LedgerFile } from "./credits/LedgerPlace.ts"
import { Ledgers } from "./credits/Ledgers.ts"
import { makeHistoryCommands } from "./history/historyCommands.ts"
import { filesIn } from "./history/HistoryFiles.ts"
import { HistoryStore } from "./history/HistoryStore.ts"
import { HistoryView } from "./history/HistoryView.ts"
import { recordRuns } from "./history/recordRuns.ts"
import { type Commands, commandsOf, type Features, type HostPort } from "./HostPort.ts"
import { Analyses } from "./project/Analyses.ts"
import { EditorTexts } from "./project/EditorTexts.ts"
import { followDocuments } from "./language/followDocuments.ts"
import { ImportedFiles } from "./project/ImportedFiles.ts"
import { startLanguageClient } from "./language/LanguageClient.ts"
import { provideLenses } from "./language/Lenses.ts"
import { namedFiles } from "./project/namedFiles.ts"
import { KeptNames } from "./names/KeptNames.ts"
import { NotebookAnalyses } from "./project/NotebookAnalyses.ts"
import { provideNotebooks } from "./notebook/Notebooks.ts"
import { NotebookTexts } from "./project/NotebookTexts.ts"
import { notebookSerializer } from "./project/Serializer.ts"
import { Panes } from "./pane/Panes.ts"
import { provideConfigKeys, provideConfigRepairs } from "./project/configKeys.ts"
import { EnvironmentChoices } from "./project/EnvironmentChoices.ts"
import { provideEnvironmentItem } from "./project/EnvironmentItem.ts"
import { followConfigs } from "./project/followConfigs.ts"
import { Front } from "./project/Front.ts"
import { Projects } from "./project/Projects.ts"
import { Secrets } from "./project/Secrets.ts"
import { Recordings } from "./project/Recordings.ts"
import { provideRecordingsItem } from "./recordings/chooseRecordings.ts"
import { provideDecorations } from "./results/Decorations.ts"
import { KeptColumns } from "./results/KeptColumns.ts"
import { ResultDocument } from "./results/ResultDocument.ts"
import { Results } from "./results/Results.ts"
import { provideThreads } from "./results/Threads.ts"
import { Runs } from "./run/Runs.ts"
import { type AskPerson, SecretHosts } from "./run/secretHosts.ts"
import { Runtimes } from "./run/Runtimes.ts"
import { choose, type Log, logTo, showError } from "./Shown.ts"

export const provideFeatures = (host: HostPort, context: vscode.ExtensionContext): Features => {
  const channel = vscode.window.createOutputChannel("dotrpc", { log: true })
  const parts = makeParts(host, context, channel)
  const commands = { ...makeCommands(parts), ...makeHistoryCommands(parts) }
  const all: Commands = { ...commands, ...makeBackfillCommands(parts.backfills, host.runsCommands) }
  const runCommand = async (id: string, argument: unknown): Promise<void> => {
    const command = all[id]
    if (command === undefined) throw new Error(`The command ${id} is not known.`)
    await command(argument)
  }
  const contributed = commandsOf(context.extension.packageJSON)
  context.subscriptions.push(
    channel,
    ...disposableOf(parts),
    ...features.map((provide) => provide(parts)),
    ...Object.keys(all)
      .filter((id) => !contributed.includes(id))
      .map((id) =>
        vscode.commands.registerCommand(id, (argument: unknown) => runCommand(id, argument).catch(showError)),
      ),
    // Runs end before anything that they are shown in.
    parts.runs,
  )
  return {
    notebookSerializer,
    runCommand,
    stop: async () => {
      await parts.runs.stop()
      await parts.ledgers.close()
    },
  }
}

/** What a person sees and uses, each made of the parts that all share. */
const features: ReadonlyArray<(parts: Parts) => vscode.Disposable> = [
  ({ channel, files, projects, results, session }) => startLanguageClient(session, projects, files, results, channel),
  ({ projects }) => provideConfigKeys(projects),
  () => provideConfigRepairs(),
  ({ front, projects }) => provideEnvironmentItem(projects, front),
  ({ recordings }) => provideRecordingsItem(recordings),
  ({ results }) => provideDecorations(results),
  ({ analyses, results }) => provideThreads(analyses, results),
  (parts) => provideLenses(parts),
  ({ runs }) => runs.onDidEnd(() => void vscode.commands.executeCommand("setContext", "dotrpc.hasRun", true)),
  ({ filesSpending, runs }) => runs.onDidFinish(({ uri, report }) => filesSpending.add(uri, spentBy(report))),
  ({ credits }) => provideCreditsItem(credits),
  ({ credits, filesSpending }) => provideCreditsView(credits, filesSpending),
  ({ results, runs, texts }) => provideChecks(results, runs, texts),
  ({ backfills, host }) => provideBackfillsView(backfills, host.runsCommands),
  ({ log, runs, store }) => recordRuns(runs, store, log),
]

/** What must be disposed of among the parts, but for the runs. */
const disposableOf = (parts: Parts): ReadonlyArray<vscode.Disposable> => [
  parts.choices,
  parts.recordings,
  parts.secrets,
  parts.projects,
  parts.documents,
  parts.configs,
  parts.notebookTexts,
  parts.files,
  parts.results,
  parts.resultDocument,
  parts.columns,
  parts.names,
  parts.panes,
  parts.credits,
  parts.filesSpending,
  parts.notebooks,
  parts.backfills,
  parts.store,
  parts.view,
]

type Parts = ReturnType<typeof makeParts>

const makeParts = (host: HostPort, context: vscode.ExtensionContext, channel: vscode.LogOutputChannel) => {
  const log = logTo(channel)
  log.info(`dotrpc ${String(context.extension.packageJSON.version)}`)
  const reading = makeReading(host, context)
  const running = makeRunning(host, context, reading, log)
  const { analyses, files, notebookTexts, projects, recordings, session } = reading
  const { runs, secretHosts } = running
  const results = new Results(analyses)
  const resultDocument = new ResultDocument()
  const columns = new KeptColumns(textIn(context.workspaceState, "columns"))
  const names = new KeptNames(textIn(context.globalState, "names"))
  const store = new HistoryStore(filesIn(vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, "runs")))
  const notebooks = provideNotebooks({
    columns,
    files,
    names,
    notebookTexts,
    projects,
    recordings,
    results,
    runs,
    session,
  })
  return {
    ...reading,
    ...running,
    backfills: new BackfillFolders(),
    channel,
    columns,
    credits: new Credits({ projects, ledgers: running.ledgers, runs, secretHosts }),
    extension: context.extensionUri,
    filesSpending: new FilesSpending(textIn(context.workspaceState, "spending")),
    host,
    log,
    names,
    notebooks,
    panes: new Panes({ analyses, columns, context, log, names, resultDocument, results, runs }),
    resultDocument,
    results,
    store,
    view: new HistoryView(store),
  }
}

/** Files of requests and their projects, read and analysed. */
const makeReading = (host: HostPort, context: vscode.ExtensionContext) => {
  const choices = new EnvironmentChoices(context.workspaceState)
  const secrets = new Secrets(context)
  const recordings = new Recordings(context.workspaceState, host.noRecordings)
  const projects = new Projects(host, choices, secrets, recordings)
  const session = makeSession(
    {
      current: (document) => projects.current(vscode.Uri.parse(document)),
      loaded: (document) => projects.loaded(vscode.Uri.parse(document)),
    },
    namedFiles(host),
  )
  const texts = new EditorTexts(session)
  // Texts are known to be changed before anything that reads them gets the change.
  const documents = followDocuments(texts)
  const configs = followConfigs(projects)
  const notebookTexts = new NotebookTexts(session)
  const analyses = new Analyses(session, texts)
  const front = new Front(analyses, new NotebookAnalyses(session, notebookTexts))
  const files = new ImportedFiles(session)
  const own = { analyses, choices, configs, documents, files, front, notebookTexts }
  return { ...own, projects, recordings, secrets, session, texts }
}

/** Runs, and what they are paid from. */
const makeRunning = (
  host: HostPort,
  context: vscode.ExtensionContext,
  { files, projects, recordings, secrets }: ReturnType<typeof makeReading>,
  log: Log,
) => {
  const gate = makeGate()
  const ledgers = new Ledgers(ledgerFileOf(host), context.workspaceState, gate, () => vscode.workspace.isTrusted)
  const { loadEvm } = host
  const version = String(context.extension.packageJSON.version)
  const runtimes = new Runtimes(ledgers, {
    gate,
    page: host.page,
    loadEvm: loadEvm === undefined ? undefined : () => loadEvm(context),
    final: FinalResults.memoryIn(textIn(context.globalState, "finalResults"), version),
  })
  const secretHosts = new SecretHosts(
    secretHostsOf(host, context.globalState),
    gate,
    // `$env` reads the process before anything else, whatever the store has under that name.
    ({ kind, name }) => host.environment(name) !== undefined && (kind === "env" || secrets.value(name) === undefined),
    askToSend,
  )
  const scans = RangeScan.memoryIn(scansOf(host, context.globalState))
  const units = keptUnits(textIn(context.globalState, "units"))
  const confirm = confirmLargeRun(ledgers)
  const runs = new Runs(projects, files, runtimes, confirm, secretHosts, units, scans, recordings, log)
  return { ledgers, runs, runtimes, scans, secretHosts }
}

/** The first button is the one that a careless Enter presses, so it sends nothing. */
const askToSend: AskPerson = async (question, detail, config) => {
  const look = config === undefined ? "Do Not Send" : "Open rpc.config.json"
  const answer = await choose(question, [look, "Send"], detail)
  if (answer === look && config !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(config))
  return answer === "Send"
}

/** In the file of the terminal; where there is none, among what the editor keeps for every folder. */
const secretHostsOf = ({ ledger, secretHosts }: HostPort, state: vscode.Memento): SecretHostStore => {
  if (secretHosts === undefined || "missing" in ledger)
    return {
      read: () => Promise.resolve(state.get<string>("secretHosts")),
      write: async (text) => state.update("secretHosts", text),
    }
  const file = besideLedger(ledger, "secret-hosts.json")
  return {
    exclusively: async (act) => {
      const store = await secretHosts(file)
      return store.exclusively === undefined ? act() : store.exclusively(act)
    },
    read: async () => (await secretHosts(file)).read(),
    write: async (text) => (await secretHosts(file)).write(text),
  }
}

/** What scans have learned: what the terminal's have, where there are files. Until the file can be read, nothing is known and nothing is written. */
const scansOf = ({ keptFile, ledger }: HostPort, state: vscode.Memento): KeptText => {
  if (keptFile === undefined || "missing" in ledger) return textIn(state, "scans")
  let file: KeptText | undefined
  keptFile(besideLedger(ledger, "scans.json")).then(
    (found) => (file = found),
    () => undefined,
  )
  return { read: () => file?.read(), write: (text) => file?.write(text) }
}

/** A text in the editor's state, on the desktop and on the web. */
const textIn = (state: vscode.Memento, name: string): KeptText => ({
  read: () => state.get(name),
  write: (text) => state.update(name, text),
})

const besideLedger = (ledger: Parameters<typeof CreditLedger.defaultFile>[0], name: string): string =>
  CreditLedger.defaultFile(ledger).replace(/[^/\\]*$/, name)

const ledgerFileOf = ({ ledger }: HostPort): LedgerFile =>
  "missing" in ledger ? ledger : { path: CreditLedger.defaultFile(ledger) }
