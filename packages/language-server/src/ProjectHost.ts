/** What the server needs of a program that has read its projects already, and shares them with the server. */
import type { ConfigProblem, NamedResults, Workspace } from "@dotrpc/analysis"
import type { KnownNames } from "@dotrpc/lang-service"
import type { FileHost } from "./FileHost.ts"

/** Without `readFile`, documents import only what is open. */
export interface ProjectHost extends Partial<FileHost> {
  /** The project of a document, by its URI. The same object as long as nothing about it has changed. */
  readonly project: (document: string) => Promise<HostProject>
  /** Outcomes of the last runs of a document's requests, by their names: paths into them are completed. */
  readonly results?: (document: string) => NamedResults
  /** Is given what to call whenever any project is another now, or a file that may be imported. */
  readonly onDidChange?: (changed: () => void) => void
}

/** A project as its host has read it. */
export interface HostProject {
  readonly workspace: Workspace
  /** Names to offer. Messages are cleared of the values of these secrets and of those in addresses of networks. */
  readonly known: KnownNames
  /** The configuration with its problems, which are shown in that file; absent when the defaults apply. */
  readonly config?: {
    readonly uri: string
    readonly text: string
    readonly problems: ReadonlyArray<ConfigProblem>
    /** What is left out although nothing is wrong with it. */
    readonly warnings?: ReadonlyArray<ConfigProblem>
  }
}
