/** What the two extension hosts do in different ways; everything else is shared. */
import type { CreditLedger } from "@dotrpc/core"
import type { FileText } from "@dotrpc/analysis"
import type { ImportPlugin, SecretHostStore } from "@dotrpc/project"
import type { WithinChoices } from "@dotrpc/project/node"
import type { KeptText } from "@dotrpc/spec"
import type * as vscode from "vscode"

export interface HostPort {
  /** A variable of the process; the web worker has none. */
  readonly environment: (name: string) => string | undefined
  /** Reads the text of a `.env` file. */
  readonly parseDotEnv: (text: string) => Readonly<Record<string, string | undefined>>
  /** The configuration that applies to a folder on disk which is not open, as in the terminal. */
  readonly findConfig?: ((folder: vscode.Uri) => Promise<vscode.Uri | undefined>) | undefined
  /** A file that applies because of its name: as in the terminal, not through a link that leads out of its project. */
  readonly readAtHome?: ((file: vscode.Uri) => Promise<FileText>) | undefined
  /** A file that a text names, by where it really lies: as in the terminal. */
  readonly readWithin?:
    | ((folder: vscode.Uri, file: vscode.Uri, choices: WithinChoices) => Promise<FileText>)
    | undefined
  /** The folder in which the texts of a folder may name files, as in the terminal. */
  readonly projectRoot?: ((folder: vscode.Uri) => Promise<vscode.Uri>) | undefined
  /** The user who owns a file and is neither the one who runs the editor nor the administrator. */
  readonly foreignOwner?: ((file: vscode.Uri) => Promise<number | undefined>) | undefined
  /** The machine whose terminals and windows share a ledger file, or why there is no such file here. */
  readonly ledger: CreditLedger.Machine | { readonly missing: string }
  /** Whether there are terminals, in which the command line can be run. */
  readonly runsCommands: boolean
  /** Why calls can be neither recorded nor replayed here. */
  readonly noRecordings?: string | undefined
  /** Where it is kept which hosts secrets belong to: shared with the terminal, where there are files. */
  readonly secretHosts?: ((file: string) => Promise<SecretHostStore>) | undefined
  /** A text that is kept in a file, where there are files. */
  readonly keptFile?: ((file: string) => Promise<KeptText>) | undefined
  /** The origin that servers see calls come from, where a browser sends them. */
  readonly page?: string | undefined
  /** How a project's own plugins are imported. */
  readonly plugins: PluginImporter
  /** Loads the bundle that holds all features. */
  readonly loadFeatures: (context: vscode.ExtensionContext) => Promise<FeaturesBundle>
  /** Loads the bundle that holds the EVM of the embedded chains, where `require` does not find it. */
  readonly loadEvm?: ((context: vscode.ExtensionContext) => Promise<object>) | undefined
}

export interface PluginImporter {
  /** Imports plugins of a configuration in a folder, as they are now. */
  readonly importFrom: (folder: vscode.Uri) => Promise<ImportPlugin>
  /**
   * `"disk"`: modules of every kind, from folders on disk; one that cannot be imported is an error. `"browser"`: bundled
   * modules from any folder; what else there is works on a desktop, so it is left out with a word.
   */
  readonly place: "disk" | "browser"
}

export interface FeaturesBundle {
  readonly provideFeatures: (host: HostPort, context: vscode.ExtensionContext) => Features
}

/** Commands by their ids in the manifest. Each takes what it is about, as lenses, links and menus say it, and rejects with words for the user. */
export type Commands = Readonly<Record<string, (argument: unknown) => Promise<void>>>

/** All features of the extension, as its commands and its end need them. */
export interface Features {
  /** Does what a contributed command is for; rejects with words for the user when it cannot. */
  readonly runCommand: (id: string, argument: unknown) => Promise<void>
  /** Ends every run and returns what was set aside. */
  readonly stop: () => Promise<void>
  /** Reads and writes the notebook view of a file. */
  readonly notebookSerializer: vscode.NotebookSerializer
}

/** The ids of the commands that the manifest contributes. */
export const commandsOf = (manifest: {
  readonly contributes: { readonly commands: ReadonlyArray<{ readonly command: string }> }
}): ReadonlyArray<string> => manifest.contributes.commands.map(({ command }) => command)
