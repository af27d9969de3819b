/**
 * What a session needs from its host: files, plugins, variables and secrets, and how far a project is trusted.
 * Files and folders are named by URIs; that of a folder ends with a slash.
 */
import type { FileText, ProjectConfig } from "@dotrpc/analysis"
import type { Plugin } from "@dotrpc/spec"

/** The files beside the documents that are open. */
export interface FileHost {
  /**
   * The text of a file, why it cannot be used, or `undefined` when there is none. What a text names is read with the folder that it has to be
   * in: one that really lies elsewhere cannot be used, and neither can a hidden one or another user's.
   */
  readonly readFile: (file: string, within?: string) => Promise<FileText>
  /** The folder that the files have to be in which a document or a configuration names; without one, they may be anywhere. */
  readonly rootOf?: ((document: string) => Promise<string | undefined>) | undefined
  /**
   * The names of what is in a folder; the name of a folder that is not a link ends with a slash. Without it, `*` in the names
   * of ABI files stands for none.
   */
  readonly listFolder?: ((folder: string) => Promise<ReadonlyArray<string>>) | undefined
  /** The `.rpc` files in a folder and below it. Without it, only open documents are known beside those they import. */
  readonly listFiles?: ((folder: string) => Promise<ReadonlyArray<string>>) | undefined
}

/** What a project is read from. */
export interface ProjectHost extends FileHost {
  /** Why a configuration of this length is not even read, in words for the user: an editor cannot wait for a long one. */
  readonly refuses?: ((text: string) => string | undefined) | undefined
  /** How far a project is trusted: asked once its configuration is read, before anything else of it is. */
  readonly trust: (place: ProjectPlace) => Promise<Trust>
  /** The plugins of a list; without one, those that come with dotrpc. Imports none of a project that is not trusted. */
  readonly plugins: (
    entries: ReadonlyArray<string> | undefined,
    place: ProjectPlace,
    trust: Trust,
  ) => Promise<LoadedPlugins>
  /** What a project may name as `$env` and `$secret`. Not asked of one that is refused. */
  readonly variables: (place: ProjectPlace, trust: Trust) => Promise<HostVariables>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The same of a place that has documents. */
export interface SessionHost extends ProjectHost {
  /** The `rpc.config.json` that applies to a document. */
  readonly findConfig: (document: string) => Promise<string | undefined>
}

/** Where a project is. */
export interface ProjectPlace {
  /** Its `rpc.config.json`, if there is one. */
  readonly config?: string | undefined
  /** The folder of its configuration, else that of the document. */
  readonly home: string
  /** What its configuration says, the defaults when it says nothing that can be used. */
  readonly settings: ProjectConfig
}

/** How far a project is trusted. */
export interface Trust {
  /** Why nothing of the project is used: the defaults stand in for it, and nothing runs. Empty when it is used. */
  readonly refusals: ReadonlyArray<Refusal>
  /** Why plugins of its own may not be imported, after their names; absent when they may. */
  readonly withheld?: string | undefined
  /** Whether the editor does not trust the folder, so that no variable and no secret is read: advice is to trust it. */
  readonly isRestricted?: boolean | undefined
}

/** Why something was not read. */
export interface Refusal {
  readonly message: string
  /** The file that it is about, when that is not the configuration. */
  readonly file?: string | undefined
}

/** An entry of a list of plugins that is not a plugin, or plugins that do not go together. */
export interface PluginProblem {
  readonly message: string
  /** Which entry of the list, from 0; absent when it is about several. */
  readonly index?: number | undefined
}

/** The plugins that a project names, and why some could not be loaded. */
export interface LoadedPlugins {
  readonly plugins: ReadonlyArray<Plugin>
  readonly problems: ReadonlyArray<PluginProblem>
  /** Why each plugin is left out that nobody has agreed to import: what needs it is not known, and no mistake. */
  readonly withheld?: ReadonlyArray<PluginProblem> | undefined
  /** Why each plugin is left out that this place does not import: everything else works without it. */
  readonly omitted?: ReadonlyArray<PluginProblem> | undefined
}

/** The environment and secrets of the machine. */
export interface HostVariables {
  /** A variable of the environment by name. */
  readonly env: (name: string) => string | undefined
  /** Defaults to `env`. A session never shows what it returns. */
  readonly secret?: ((name: string) => string | undefined) | undefined
  /** Names to offer; others may be used as well. */
  readonly envNames: ReadonlyArray<string>
  readonly secretNames: ReadonlyArray<string>
  /** What is wrong with the file they are read from. */
  readonly problem?: Required<Refusal> | undefined
}
