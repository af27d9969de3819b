/**
 * What is left of the day for the requests in front, read again whenever that may have changed: after a run, when another
 * file comes to the front, and from time to time where others spend from the same balance.
 */
import { RpcReason } from "@dotrpc/spec"
import * as vscode from "vscode"

import { frontFile } from "../project/Front.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { plain } from "../Shown.ts"
import type { Ledgers, ProjectBalance } from "./Ledgers.ts"

/** The balance, or why nobody knows it. */
export type Standing = ProjectBalance | { readonly why: string; readonly advice: string }

/** Reading a file takes less than a millisecond. */
const pollMillis = 5_000

/** What tells that a run has ended, and asks whether the password of a ledger may go where it is. */
export interface CreditsParts {
  readonly projects: Projects
  readonly ledgers: Ledgers
  readonly runs: { readonly onDidEnd: vscode.Event<Project> }
  readonly secretHosts: { readonly agreeToLedger: (project: Project) => Promise<void> }
}

export class Credits implements vscode.Disposable {
  readonly #projects: Projects
  readonly #ledgers: Ledgers
  readonly #secretHosts: CreditsParts["secretHosts"]
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  #document: vscode.Uri | undefined
  #standing: Standing | undefined
  #counted = ""
  #asked = 0

  readonly onDidChange = this.#changed.event

  constructor({ ledgers, projects, runs, secretHosts }: CreditsParts) {
    this.#projects = projects
    this.#ledgers = ledgers
    this.#secretHosts = secretHosts
    const poll = setInterval(() => vscode.window.state.focused && void this.refresh(), pollMillis)
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      new vscode.Disposable(() => clearInterval(poll)),
      projects.onDidChange(() => void this.refresh()),
      runs.onDidEnd(() => void this.refresh()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#follow()),
      vscode.window.onDidChangeActiveNotebookEditor(() => this.#follow()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.refresh()),
    )
    this.#follow()
  }

  /** `undefined` before the first file of requests was in front. */
  get standing(): Standing | undefined {
    return this.#standing
  }

  /** The configuration whose balance that is, as a person knows it. */
  get counted(): string {
    return this.#counted
  }

  /** Asks the ledger for a person who wants to know. Rejects when its password may not go where it is. */
  async open(): Promise<void> {
    if (this.#document === undefined) return
    const project = await this.#projects.loaded(this.#document)
    await this.#secretHosts.agreeToLedger(project)
    await this.#ask(project)
  }

  /** Asks the ledger again, unless it is one on a server that nothing was sent to yet. */
  async refresh(): Promise<void> {
    if (this.#document !== undefined) await this.#read(await this.#projects.loaded(this.#document))
  }

  dispose(): void {
    this.#subscription.dispose()
  }

  /** What was in front last stays: a look at another file changes no balance. */
  #follow(): void {
    const file = frontFile()
    if (file === undefined) return
    this.#document = file
    void this.refresh()
  }

  async #read(project: Project): Promise<void> {
    if (this.#ledgers.isOpen(project)) await this.#ask(project)
  }

  /** A slow answer about one project does not replace that about another, which came to the front meanwhile. */
  async #ask(project: Project): Promise<void> {
    const question = ++this.#asked
    const standing = await this.#ledgers.balance(project).catch(explain)
    if (question !== this.#asked) return
    this.#standing = standing
    this.#counted = configName(project)
    this.#changed.fire()
  }
}

const configName = ({ configFile }: Project): string =>
  configFile === undefined
    ? "the default configuration"
    : plain(vscode.workspace.asRelativePath(vscode.Uri.parse(configFile.uri)))

const explain = (error: unknown): Standing => {
  if (error instanceof RpcReason.LedgerUnavailable) return { why: error.why, advice: error.advice }
  throw error
}
