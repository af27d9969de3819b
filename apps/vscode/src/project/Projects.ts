/**
 * The project of every document: the nearest `rpc.config.json` upward, the `.env` beside it, the chosen environment and
 * the secrets, and the plugins it names. What is known is answered at once; what changes is read again.
 *
 * Invariant: in a folder that is not trusted, no variable and no secret is read, and no code of it runs.
 */
import { aFolder, type FileText, hasPriceSheetFiles, textOf } from "@dotrpc/analysis"
import { type HostVariables, lengthRefusal, type ProjectHost, readProject } from "@dotrpc/session"
import * as vscode from "vscode"

import type { HostPort } from "../HostPort.ts"
import { type NamedFiles, namedFiles } from "./namedFiles.ts"
import { readFileText } from "./readFile.ts"
import type { Recordings } from "./Recordings.ts"
import type { EnvironmentChoices } from "./EnvironmentChoices.ts"
import { foldersUp } from "./foldersUp.ts"
import { OwnPlugins } from "./OwnPlugins.ts"
import { type FoundConfig, nearestConfig } from "./nearestConfig.ts"
import { makeProject, type Project, refusalsOf } from "./Project.ts"
import { foreignRefusal } from "./refusal.ts"
import type { Secrets } from "./Secrets.ts"

export class Projects implements vscode.Disposable {
  readonly #host: HostPort
  readonly #files: NamedFiles
  readonly #choices: EnvironmentChoices
  readonly #secrets: Secrets
  readonly #recordings: Pick<Recordings, "isReplaying" | "onDidChange">
  readonly #plugins: OwnPlugins
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscriptions: Array<vscode.Disposable>
  /** Every folder that was asked about. */
  readonly #folders = new Map<string, vscode.Uri>()
  /** By folder: what was read last. */
  readonly #known = new Map<string, Project>()
  /** By folder, and by configuration file: what is being read, or has been. */
  #loading = new Map<string, Promise<Project>>()
  #opening = new Map<string, Promise<Project>>()
  readonly #watched = new Map<string, vscode.Disposable>()
  #refreshing: ReturnType<typeof setTimeout> | undefined
  #unconfigured: Project | undefined

  /** A project was read, or read again. */
  readonly onDidChange = this.#changed.event

  constructor(
    host: HostPort,
    choices: EnvironmentChoices,
    secrets: Secrets,
    recordings: Pick<Recordings, "isReplaying" | "onDidChange">,
  ) {
    this.#host = host
    this.#files = namedFiles(host)
    this.#choices = choices
    this.#secrets = secrets
    this.#recordings = recordings
    this.#plugins = new OwnPlugins(host)
    this.#subscriptions = [
      this.#changed,
      this.#plugins,
      this.#plugins.onDidChange(() => this.#refresh()),
      this.#watch("**/{rpc.config.json,.env}"),
      choices.onDidChange(() => this.#refresh()),
      secrets.onDidChange(() => this.#refresh()),
      recordings.onDidChange(() => this.#refresh()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#refresh()),
    ]
  }

  /** What is known now: the default configuration until the document's own has been read. */
  current(document: vscode.Uri): Project {
    const folder = folderOf(document)
    if (folder === undefined) return this.#default()
    void this.#load(folder)
    return this.#known.get(folder.toString()) ?? this.#default()
  }

  /** Whether `current` is the document's own: before it is, no network or price is shown. */
  isKnown(document: vscode.Uri): boolean {
    const folder = folderOf(document)
    return folder === undefined || this.#known.has(folder.toString())
  }

  /** The project once its files have been read. */
  loaded(document: vscode.Uri): Promise<Project> {
    const folder = folderOf(document)
    return folder === undefined ? Promise.resolve(this.#default()) : this.#load(folder)
  }

  /** Every project that was read and has a configuration file. */
  get configured(): ReadonlyArray<Project> {
    const projects = [...this.#known.values()].filter((project) => project.configFile !== undefined)
    return [...new Set(projects)]
  }

  dispose(): void {
    clearTimeout(this.#refreshing)
    for (const subscription of [...this.#subscriptions, ...this.#watched.values()]) subscription.dispose()
  }

  #default(): Project {
    return (this.#unconfigured ??= makeProject({ env: nothing, secret: nothing, now: Date.now() }))
  }

  #load(folder: vscode.Uri): Promise<Project> {
    const key = folder.toString()
    const started = this.#loading.get(key)
    if (started !== undefined) return started
    this.#folders.set(key, folder)
    const generation = this.#loading
    const loading = this.#read(folder).then((project) => {
      if (generation === this.#loading && this.#known.get(key) !== project) {
        this.#known.set(key, project)
        this.#changed.fire()
      }
      return project
    })
    generation.set(key, loading)
    return loading
  }

  async #read(folder: vscode.Uri): Promise<Project> {
    const opening = this.#opening
    const configFile = await configOf(folder, this.#host)
    const base = configFile === undefined ? folder : vscode.Uri.joinPath(vscode.Uri.parse(configFile.uri), "..")
    const key = configFile?.uri ?? base.toString()
    const opened = opening.get(key)
    if (opened !== undefined) return opened
    const project = this.#open(configFile, base)
    opening.set(key, project)
    return project
  }

  async #open(configFile: FoundConfig | undefined, base: vscode.Uri): Promise<Project> {
    this.#watchOutside(base)
    const { isTrusted } = vscode.workspace
    const own = [
      ...(configFile === undefined ? [] : [vscode.Uri.parse(configFile.uri)]),
      vscode.Uri.joinPath(base, ".env"),
    ]
    await this.#secrets.load()
    const host: ProjectHost = {
      ...this.#files,
      readFile: (file, within) =>
        file === configFile?.uri ? Promise.resolve(configFile.text) : this.#files.readFile(file, within),
      refuses: lengthRefusal,
      trust: async ({ settings }) => {
        if ((settings.abi ?? []).length > 0 || hasPriceSheetFiles(settings)) this.#watchJson(base)
        return { refusals: refusalsOf(await foreignRefusal(own, this.#host)), isRestricted: !isTrusted }
      },
      plugins: (list) => this.#plugins.load(base, list),
      variables: () => this.#variables(base, isTrusted),
      now: Date.now,
    }
    const environment = configFile === undefined ? undefined : this.#choices.of(configFile.uri)
    const home = `${base.toString().replace(/\/$/, "")}/`
    // What is answered from recordings needs no keys.
    const choices = { environment, expectsMore: this.#recordings.isReplaying }
    return readProject(host, { config: configFile?.uri, home }, choices)
  }

  async #variables(base: vscode.Uri, isTrusted: boolean): Promise<HostVariables> {
    const file = isTrusted ? await this.#files.readDotEnv(base) : undefined
    const text = textOf(file)
    const dotEnv = text === undefined ? {} : this.#host.parseDotEnv(text)
    const env = (name: string) => this.#host.environment(name) ?? dotEnv[name]
    return {
      env: isTrusted ? env : nothing,
      secret: isTrusted ? (name) => this.#secrets.value(name) ?? env(name) : nothing,
      envNames: Object.keys(dotEnv),
      secretNames: [...new Set([...this.#secrets.names, ...Object.keys(dotEnv)])],
      // A folder of this name is where Python keeps its packages.
      ...(typeof file === "object" && file !== aFolder
        ? { problem: { message: file.problem, file: vscode.Uri.joinPath(base, ".env").toString() } }
        : {}),
    }
  }

  /** The watcher of the workspace sees its folders only, and a configuration may lie above them. */
  #watchOutside(base: vscode.Uri): void {
    const key = base.toString()
    if (this.#watched.has(key) || vscode.workspace.getWorkspaceFolder(base) !== undefined) return
    this.#watched.set(key, this.#watch(new vscode.RelativePattern(base, "{rpc.config.json,.env}")))
  }

  /** Compilers write ABIs again and again, and price sheets are edited; other JSON files are read for nothing, which costs little. */
  #watchJson(base: vscode.Uri): void {
    const key = `${base.toString()} json`
    if (!this.#watched.has(key)) this.#watched.set(key, this.#watch(new vscode.RelativePattern(base, "**/*.json")))
  }

  #watch(pattern: vscode.GlobPattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern)
    const refresh = () => this.#refresh()
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(refresh),
      watcher.onDidChange(refresh),
      watcher.onDidDelete(refresh),
    )
  }

  /** Reads everything again that is in use. Saving often touches several files, so it waits for the last. */
  #refresh(): void {
    clearTimeout(this.#refreshing)
    this.#loading = new Map()
    this.#opening = new Map()
    this.#refreshing = setTimeout(() => {
      for (const folder of this.#folders.values()) void this.#load(folder)
    }, 100)
  }
}

const nothing = (): undefined => undefined

/** A document that is not saved belongs to the first folder of the workspace. */
const folderOf = (document: vscode.Uri): vscode.Uri | undefined => {
  if (document.scheme === "untitled") return vscode.workspace.workspaceFolders?.[0]?.uri
  return document.path.startsWith("/") ? vscode.Uri.joinPath(document, "..") : undefined
}

/**
 * The search ends at the folder that is open, or at the root of a repository: what lies above is not what was opened. A
 * file outside all open folders is looked at as in the terminal, where there are files.
 */
const configOf = async (start: vscode.Uri, host: HostPort): Promise<FoundConfig | undefined> => {
  const opened = vscode.workspace.getWorkspaceFolder(start)?.uri.toString()
  if (opened !== undefined || start.scheme !== "file" || host.findConfig === undefined)
    return nearestConfig(foldersUp(start, opened), (uri) => readConfig(vscode.Uri.parse(uri), host))
  const found = await host.findConfig(start)
  return found === undefined ? undefined : { uri: found.toString(), text: await readConfig(found, host) }
}

/** Where nobody can tell where a link leads, none is followed. */
const readConfig = (config: vscode.Uri, { readAtHome }: HostPort): Promise<FileText> =>
  readAtHome !== undefined && config.scheme === "file"
    ? readAtHome(config)
    : readFileText(config, vscode.Uri.joinPath(config, ".."))
