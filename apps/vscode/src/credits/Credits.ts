/**
 * What is left of the day for the requests in front, read again whenever that may have changed: after a run, when another
 * file comes to the front, and from time to time where others spend from the same balance.
 */
import { RpcReason } from "@dotrpc/spec"
import * as vscode from "vscode"

import { isRpc } from "../language/ranges.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Runs } from "../run/Runs.ts"
import type { SecretHosts } from "../run/secretHosts.ts"
import type { Ledgers, ProjectBalance } from "./Ledgers.ts"

/** The balance, or why nobody knows it. */
export type Standing = ProjectBalance | { readonly why: string; readonly advice: string }

/** Reading a file takes less than a millisecond. */
const pollMillis = 5_000

export class Credits implements vscode.Disposable {
  readonly #projects: Projects
  readonly #ledgers: Ledgers
  readonly #secretHosts: SecretHosts
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #subscription: vscode.Disposable
  #document: vscode.Uri | undefined
  #standing: Standing | undefined
  #asked = 0

  readonly onDidChange = this.#changed.event

  constructor(projects: Projects, ledgers: Ledgers, runs: Runs, secretHosts: SecretHosts) {
    this.#projects = projects
    this.#ledgers = ledgers
    this.#secretHosts = secretHosts
    const poll = setInterval(() => vscode.window.state.focused && void this.refresh(), pollMillis)
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      new vscode.Disposable(() => clearInterval(poll)),
      projects.onDidChange(() => void this.refresh()),
      runs.onDidEnd(() => void this.refresh()),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor?.document)),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.refresh()),
    )
    this.#follow(vscode.window.activeTextEditor?.document)
  }

  /** `undefined` before the first file of requests was in front. */
  get standing(): Standing | undefined {
    return this.#standing
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
  #follow(document: vscode.TextDocument | undefined): void {
    if (document === undefined || !isRpc(document)) return
    this.#document = document.uri
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
    this.#changed.fire()
  }
}

const explain = (error: unknown): Standing => {
  if (error instanceof RpcReason.LedgerUnavailable) return { why: error.why, advice: error.advice }
  throw error
}
