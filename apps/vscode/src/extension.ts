/** Entry of the extension in the Node extension host: on the desktop, over SSH, in WSL and in containers. */
import { homedir } from "node:os"
import { parseEnv } from "node:util"

import * as vscode from "vscode"

import { provideMcpServers } from "./agents/mcpServers.ts"
import { type Activated, activateWith } from "./activation.ts"
import type { HostPort } from "./HostPort.ts"

let activated: Activated | undefined

export const activate = (context: vscode.ExtensionContext): void => {
  const host: HostPort = {
    environment: (name) => process.env[name],
    parseDotEnv: parseEnv,
    runsCommands: true,
    ledger: { platform: process.platform, home: homedir(), env: process.env },
    plugins: {
      place: "disk",
      importFrom: async ({ fsPath }) => (await import("./project/nodePlugins.ts")).importAgainFrom(fsPath),
    },
    findConfig: async ({ fsPath }) => {
      const path = (await import("./project/nodePlugins.ts")).findConfig(fsPath)
      return path === undefined ? undefined : vscode.Uri.file(path)
    },
    readAtHome: async ({ fsPath }) => (await import("./project/nodePlugins.ts")).readTextFileAtHome(fsPath),
    readWithin: async (folder, file, choices) =>
      (await import("./project/nodePlugins.ts")).readTextFileWithin(folder.fsPath, file.fsPath, choices),
    projectRoot: async ({ fsPath }) => vscode.Uri.file((await import("./project/nodePlugins.ts")).projectRoot(fsPath)),
    foreignOwner: async ({ fsPath, scheme }) =>
      scheme === "file" ? (await import("./project/nodePlugins.ts")).foreignOwner(fsPath) : undefined,
    secretHosts: async (file) => (await import("./project/nodePlugins.ts")).secretHostFile(file),
    keptFile: async (file) => (await import("./project/nodePlugins.ts")).keptFile(file),
    loadFeatures: () => import("./features.ts"),
  }
  activated = activateWith(host, context)
  context.subscriptions.push(provideMcpServers(String(context.extension.packageJSON.version)))
}

/** The editor waits for this, for a few seconds. */
export const deactivate = (): Promise<void> | undefined => activated?.stop()
