/**
 * The projects of the window as servers of the Model Context Protocol, which the editor starts where an agent needs one. Their tools
 * are those of `dotrpc mcp`.
 *
 * Invariant: what an agent may spend, and what is started, depends on settings of the machine alone: an agent can write those of a
 * folder. Nothing is started in a folder that is not trusted.
 */
import * as vscode from "vscode"

import { asElsewhere } from "../backfills/runLine.ts"

/** The manifest names it too. */
const providerId = "dotrpc.projects"

export const provideMcpServers = (version: string): vscode.Disposable => {
  const changed = new vscode.EventEmitter<void>()
  const notify = () => changed.fire()
  const configs = vscode.workspace.createFileSystemWatcher(`**/${configName}`, false, true, false)
  return vscode.Disposable.from(
    changed,
    configs,
    configs.onDidCreate(notify),
    configs.onDidDelete(notify),
    vscode.workspace.onDidChangeWorkspaceFolders(notify),
    vscode.workspace.onDidGrantWorkspaceTrust(notify),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("dotrpc.agents") || event.affectsConfiguration("dotrpc.command")) notify()
    }),
    vscode.lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => serversOf(version),
    }),
  )
}

const configName = "rpc.config.json"
const notDependencies = "**/node_modules/**"
/** Each is a process; more projects than this are opened in windows of their own. */
const mostServers = 20

/** One for each configuration: its networks, and the requests of its folder. */
const serversOf = async (version: string): Promise<Array<vscode.McpStdioServerDefinition>> => {
  if (!vscode.workspace.isTrusted) return []
  const settings = vscode.workspace.getConfiguration("dotrpc")
  const [program = "dotrpc", ...first] = wordsOf(settings.get("command", "dotrpc"))
  const most = String(settings.get("agents.maxCredits", 5_000))
  const limits = ["--max-credits", most, "--approve-above", String(settings.get("agents.approveAbove", 0))]
  const configs = await vscode.workspace.findFiles(`**/${configName}`, notDependencies, mostServers)
  const onDisk = configs.filter(({ scheme }) => scheme === "file").map((config) => vscode.Uri.joinPath(config, ".."))
  return Promise.all(
    onDisk.map(async (folder) => {
      const requests = new vscode.RelativePattern(folder, "**/*.rpc")
      const some = await vscode.workspace.findFiles(requests, notDependencies, 1)
      // Without --config, the command refuses a folder below which there is another configuration.
      const args = [...first, "mcp", ...(some.length === 0 ? [] : ["."]), "--config", configName, ...limits]
      const root = vscode.workspace.getWorkspaceFolder(folder)
      const label = `dotrpc ${root === undefined ? folder.path : root.name + folder.path.slice(root.uri.path.length)}`
      const server = new vscode.McpStdioServerDefinition(label, program, args, { ...asElsewhere }, version)
      server.cwd = folder
      return server
    }),
  )
}

/** The words of a line, of which some may be in quotes: the editor starts a program, and not a shell. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "")
