/**
 * Runs requests: any number at once, each of which can be stopped. Stopping one really interrupts it, and gives back the
 * credits it has not used.
 *
 * Invariant: every request that was begun in the results is finished or abandoned.
 */
import { analyze } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { makePlan, type Plan, run, type RunEvent, summarizeReport } from "@dotrpc/runner"
import { Redaction } from "@dotrpc/spec"
import { Cause, Effect, type Exit, Stream } from "effect"
import * as vscode from "vscode"

import type { RequestTarget } from "../commands/Target.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Results } from "../results/Results.ts"
import { oneLine } from "../results/text.ts"
import { progressWords } from "./progressWords.ts"
import { refusalOf } from "./refusal.ts"
import type { Runtimes } from "./Runtimes.ts"
import { showProgress } from "./showProgress.ts"

/** Requests of one run that may be under way at once. */
const parallel = 4

export class Runs implements vscode.Disposable {
  readonly #projects: Projects
  readonly #results: Results
  readonly #runtimes: Runtimes
  readonly #log: vscode.LogOutputChannel
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #ended = new vscode.EventEmitter<Project>()
  readonly #active = new Set<ActiveRun>()

  /** Which requests are running has changed. */
  readonly onDidChange = this.#changed.event
  /** A run of the project has ended, and credits may have been spent. */
  readonly onDidEnd = this.#ended.event

  constructor(projects: Projects, results: Results, runtimes: Runtimes, log: vscode.LogOutputChannel) {
    this.#projects = projects
    this.#results = results
    this.#runtimes = runtimes
    this.#log = log
  }

  /**
   * Runs these requests and those they need; all that are not skipped when none are given. Resolves when the run has
   * ended. Rejects, before anything is sent, when they may not run here or are running already.
   */
  async start(document: vscode.TextDocument, requests: ReadonlyArray<number> = []): Promise<void> {
    const project = await this.#projects.loaded(document.uri)
    const runtime = await this.#runtimes.of(project)
    // From here to the start nothing is awaited, so that the plan and the document cannot part.
    const plan = planFor(document, project, requests)
    checkMayRun(plan, project)
    const uri = document.uri.toString()
    const busy = plan.requests.find(({ index }) => this.isRunning({ uri, request: index }))
    if (busy !== undefined) throw new Error(`"${busy.label}" is still running: wait for it, or cancel it.`)

    const ended = Promise.withResolvers<void>()
    const active: ActiveRun = {
      ids: new Map(plan.requests.map(({ index }) => [index, this.#results.begin(document, index)])),
      labels: plan.requests.map(({ label }) => oneLine(label)),
      words: "",
      progress: new vscode.EventEmitter<string>(),
      ended: ended.promise,
      cancel: () => fiber.interruptUnsafe(),
    }
    this.#setActive(() => this.#active.add(active))
    const events = Stream.runForEach(run(plan, { parallel }), (event) =>
      Effect.sync(() => this.#receive(active, event)),
    )
    const fiber = runtime.runFork(events)
    fiber.addObserver((exit) => {
      this.#finish(active, project, exit)
      ended.resolve()
    })
    showProgress(active)
    await ended.promise
  }

  isRunning(target: RequestTarget): boolean {
    return this.#results.at(target)?.activity !== undefined
  }

  /** Stops the runs that a request is part of; every run without one. */
  cancel(target?: RequestTarget): void {
    const id = target === undefined ? undefined : this.#results.at(target)?.id
    for (const active of this.#active) {
      if (target === undefined || (id !== undefined && [...active.ids.values()].includes(id))) active.cancel()
    }
  }

  /** Stops every run, and resolves when all have ended. */
  async stop(): Promise<void> {
    const ended = [...this.#active].map((active) => active.ended)
    this.cancel()
    await Promise.all(ended)
  }

  dispose(): void {
    this.cancel()
    this.#changed.dispose()
    this.#ended.dispose()
  }

  #receive(active: ActiveRun, event: RunEvent): void {
    switch (event._tag) {
      case "RequestStarted":
        return this.#say(active, event.request.index, "running")
      case "RequestProgress":
        return this.#say(active, event.request.index, progressWords(event))
      case "RequestFinished": {
        const { report } = event
        const id = active.ids.get(report.request.index)
        if (id === undefined) return
        active.ids.delete(report.request.index)
        this.#results.finish(id, report)
        this.#log.info(`${oneLine(report.request.label)}: ${report.status}, ${oneLine(summarizeReport(report))}`)
        this.#changed.fire()
      }
    }
  }

  #say(active: ActiveRun, index: number, words: string): void {
    const id = active.ids.get(index)
    if (id === undefined) return
    this.#results.progress(id, words)
    active.words = words
    active.progress.fire(words)
  }

  #finish(active: ActiveRun, project: Project, exit: Exit.Exit<void>): void {
    for (const id of active.ids.values()) this.#results.abandon(id)
    this.#setActive(() => this.#active.delete(active))
    active.progress.dispose()
    this.#ended.fire(project)
    if (exit._tag === "Success" || Cause.hasInterruptsOnly(exit.cause)) return
    const secrets = project.workspace.networks.flatMap(({ network }) => network.secrets)
    this.#log.error(Redaction.scrub(Cause.pretty(exit.cause), secrets))
    void vscode.window.showErrorMessage("dotrpc: the run broke off. The dotrpc output says why.")
  }

  #setActive(change: () => void): void {
    change()
    void vscode.commands.executeCommand("setContext", "dotrpc.running", this.#active.size > 0)
    this.#changed.fire()
  }
}

/** A run under way. */
export interface ActiveRun {
  /** The results of the requests that have not ended, by their position in the plan's document. */
  readonly ids: Map<number, number>
  readonly labels: ReadonlyArray<string>
  /** What it is doing; `progress` tells when that changes. */
  words: string
  readonly progress: vscode.EventEmitter<string>
  readonly ended: Promise<void>
  readonly cancel: () => void
}

/** Read anew, so that `now()` is the time of the run. */
const planFor = (document: vscode.TextDocument, project: Project, requests: ReadonlyArray<number>): Plan => {
  const workspace = { ...project.workspace, now: Date.now() }
  return makePlan(analyze(parse(document.getText()), workspace), { indexes: requests })
}

const checkMayRun = (plan: Plan, project: Project): void => {
  const [problem] = project.problems
  if (problem !== undefined) throw new Error(`Nothing was sent: rpc.config.json has a problem. ${problem.message}`)
  if (plan.requests.length === 0) throw new Error("There is no request to run in this file.")
  const refusal = refusalOf(plan, vscode.workspace.isTrusted)
  if (refusal !== undefined) throw new Error(refusal)
}
