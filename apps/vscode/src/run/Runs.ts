/**
 * Runs requests: any number at once, each of which can be stopped. Stopping one really interrupts it, and returns the
 * credits it has not used.
 *
 * Invariant: every request that was begun in a sink is finished there, or abandoned where a person stopped it. What breaks a
 * run off is the error of each of its requests that had not ended.
 */
import type { RangeScan } from "@dotrpc/core"
import {
  blockTimesOfProcess,
  internalErrorWords,
  makeSnapshots,
  type RunPlan,
  type RequestReport,
  run,
  type RunEvent,
  type RunOptions,
  summarizeReport,
  type UnitsMemory,
} from "@dotrpc/runner"
import { Cause, Effect, type Exit, Stream } from "effect"
import * as vscode from "vscode"
import type { ConfirmRun } from "../credits/confirmLargeRun.ts"
import { AllowedOnce } from "../credits/limited.ts"
import { ordinary, type Permit, permitted } from "../credits/Permit.ts"
import type { ImportedFiles } from "../project/ImportedFiles.ts"
import { acceptedText } from "../project/EditorTexts.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import { Visible } from "@dotrpc/spec"
import { nameOf, readSnapshots, usesSnapshots, writeSnapshots } from "./snapshots.ts"
import { notePaidBefore, type PaidPart } from "./wholeCost.ts"
import type { Recordings } from "../project/Recordings.ts"
import { ActiveRun } from "./ActiveRun.ts"
import { chosenTimeZone } from "./chosenTimeZone.ts"
import { type Planned, planFor } from "./planFor.ts"
import { progressWords, runWords } from "./progressWords.ts"
import { refusalOf } from "./refusal.ts"
import type { RunSink } from "./RunSink.ts"
import type { Runtimes } from "./Runtimes.ts"
import type { SecretHosts } from "./secretHosts.ts"
import { noteTimeline, TimelineRecorder } from "./Timeline.ts"
import { type Log, showError, showInStatusBar, showWorking } from "../Shown.ts"

/** Requests of one run that may run at once. */
const parallel = 4

/** A text of a document or a notebook, and what to run of it. */
export interface RunInput extends Planned {
  /** Where the text is; its project is the nearest upward. */
  readonly uri: vscode.Uri
  readonly sink: RunSink
  /** Requests that are resumed instead of read from the beginning, by their positions. */
  readonly resume?: ReadonlyMap<number, PaidPart> | undefined
  /** Runs the same requests once more, as their text is by then. */
  readonly repeat: () => Promise<void>
}

export class Runs implements vscode.Disposable {
  readonly #projects: Projects
  readonly #files: ImportedFiles
  readonly #confirm: ConfirmRun
  readonly #runtimes: Runtimes
  readonly #secretHosts: SecretHosts
  readonly #units: UnitsMemory
  readonly #blockTimes = blockTimesOfProcess()
  readonly #scans: RangeScan.Memory
  readonly #recordings: Pick<Recordings, "current">
  readonly #log: Log
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #finished = new vscode.EventEmitter<FinishedRequest>()
  readonly #ended = new vscode.EventEmitter<Project>()
  readonly #active = new Set<ActiveRun>()
  #last: (() => Promise<void>) | undefined

  /** Which requests are running has changed. */
  readonly onDidChange = this.#changed.event
  /** A request has ended with a report. */
  readonly onDidFinish = this.#finished.event
  /** A run of the project has ended, and credits may have been spent. */
  readonly onDidEnd = this.#ended.event

  constructor(
    projects: Projects,
    files: ImportedFiles,
    runtimes: Runtimes,
    confirm: ConfirmRun,
    secretHosts: SecretHosts,
    units: UnitsMemory,
    scans: RangeScan.Memory,
    recordings: Pick<Recordings, "current">,
    log: Log,
  ) {
    this.#projects = projects
    this.#files = files
    this.#confirm = confirm
    this.#runtimes = runtimes
    this.#secretHosts = secretHosts
    this.#units = units
    this.#scans = scans
    this.#recordings = recordings
    this.#log = log
  }

  /**
   * Runs these requests and those they need. `read` gives what to run as it is once the project is known. Resolves when
   * the run has ended, or when the person chose not to run them. Rejects, before anything is sent, when they may not run
   * here or are running already. A permit lifts limits for this run alone.
   */
  async start(uri: vscode.Uri, read: () => RunInput, permit = ordinary): Promise<void> {
    await showInStatusBar("dotrpc: running", () => this.#start(uri, read, permit))
  }

  async #start(uri: vscode.Uri, readInput: () => RunInput, permit: Permit): Promise<void> {
    const recording = this.#recordings.current
    // Recordings have all that a run needs.
    const read = () => (recording === undefined ? readInput() : { ...readInput(), shown: undefined })
    const project = await this.#projects.loaded(uri)
    const runtime = await (recording === undefined
      ? this.#runtimes.of(project)
      : this.#runtimes.recorded(project, recording))
    const { parsed } = acceptedText(read().text)
    const sources = await this.#files.loaded(uri, parsed)
    const { plan: wanted } = await planFor(read, project, sources)
    const sendsNothing = recording?.kind === "replay"
    checkMayRun(wanted, project, sendsNothing)
    const agreed = sendsNothing ? () => true : await this.#secretHosts.agree(wanted, project)
    if (!sendsNothing && !(await this.#confirm(wanted, project, uri))) return
    // A text that no file has keeps none, and what compares with none is not read.
    const isCompared = uri.scheme !== "untitled" && usesSnapshots(wanted.requests)
    const kept = isCompared ? await readSnapshots(uri) : undefined
    const { input, plan: planned } = await planFor(read, project, sources)
    // From here to the start nothing is awaited, so that the plan and the document cannot part.
    const plan = permitted(planned, permit)
    checkMayRun(plan, project, sendsNothing)
    this.#checkRecording(recording)
    if (!agreed(plan, project)) throw new Error("Nothing was sent: the text has changed. Run it again.")
    const active = this.#begin(plan, input)
    const snapshots = isCompared ? makeSnapshots({ analysis: plan.analysis, kept, file: nameOf(uri) }) : undefined
    const options = { ...this.#optionsOf(active, input, recording === undefined), snapshots }
    const events = Stream.runForEach(run(plan, options), (event) =>
      Effect.sync(() => {
        // What is used again stays as it is shown.
        if (plan.reused !== undefined && isAbout(event, plan.reused)) return
        try {
          this.#receive(active, input, project, event)
        } catch (defect) {
          // What shows one request must not end the others, which may be paid for.
          active.defect ??= { thrown: defect }
        }
      }),
    ).pipe(Effect.provideService(AllowedOnce, permit.aboveDaily))
    const fiber = runtime.runFork(events)
    active.interrupt = () => fiber.interruptUnsafe()
    fiber.addObserver((exit) => this.#finish(active, input, project, exit))
    showProgress(active)
    await active.ended
    if (snapshots !== undefined) await writeSnapshots(uri, snapshots)
  }

  #checkRecording(recording: Recordings["current"]): void {
    // A project that is read to replay has no keys, and what sends must not run as if it did not.
    if (this.#recordings.current !== recording)
      throw new Error("Nothing was sent: recording or replaying was switched on or off. Run it again.")
    // Each run replaces what was recorded before, and would replace what another one records.
    if (recording?.kind === "record" && this.#active.size > 0)
      throw new Error("Runs are recorded one at a time: wait for the one that is running, or cancel it.")
  }

  /** Shows that the requests of a plan run from now on, unless one of them runs already. */
  #begin(plan: RunPlan, { repeat, sink, uri }: RunInput): ActiveRun {
    const running = plan.requests.filter(({ index }) => plan.reused?.has(index) !== true)
    const busy = sink.busy(running)
    if (busy !== undefined)
      throw new Error(`"${Visible.oneLine(busy.label)}" is still running: wait for it, or cancel it.`)
    const active = new ActiveRun(uri, plan, running, sink)
    this.#last = repeat
    this.#setActive(() => this.#active.add(active))
    return active
  }

  /** @param learns from other runs, and for them: what was learned before would be missing from recordings */
  #optionsOf(active: ActiveRun, { resume, uri }: RunInput, learns: boolean): RunOptions {
    return {
      file: vscode.workspace.asRelativePath(uri),
      parallel,
      onStopped: (report) => active.stopped.set(report.request.index, report),
      observe: (request) => {
        const recorder = new TimelineRecorder()
        active.timelines.set(request, recorder)
        return recorder.observer
      },
      resume,
      ...(learns ? { units: this.#units, scans: this.#scans, blockTimes: this.#blockTimes } : {}),
      ...chosenTimeZone(),
    }
  }

  /** Runs once more what was run last, as its text is now. */
  async again(): Promise<void> {
    if (this.#last === undefined) throw new Error("Nothing has run in this window yet.")
    await this.#last()
  }

  /** Stops the runs of a file; `false` when there are none. */
  cancelIn(uri: vscode.Uri): boolean {
    const own = [...this.#active].filter((active) => active.uri.toString() === uri.toString())
    for (const active of own) active.cancel()
    return own.length > 0
  }

  /** Stops every run. */
  cancelAll(): void {
    for (const active of this.#active) active.cancel()
  }

  /** Stops every run, and resolves when all have ended. */
  async stop(): Promise<void> {
    const ended = [...this.#active].map((active) => active.ended)
    this.cancelAll()
    await Promise.all(ended)
  }

  dispose(): void {
    this.cancelAll()
    this.#changed.dispose()
    this.#finished.dispose()
    this.#ended.dispose()
  }

  #receive(active: ActiveRun, { resume, text, uri }: RunInput, project: Project, event: RunEvent): void {
    if (event._tag === "RequestFinished") {
      const { report } = event
      const recorder = active.timelines.get(report.request)
      if (recorder !== undefined) noteTimeline(report, recorder.timeline)
      const part = resume?.get(report.request.index)
      if (part !== undefined) notePaidBefore(report, part.paid)
    }
    active.view.receive(event)
    active.soFar.hear(event)
    switch (event._tag) {
      case "RequestStarted":
        return this.#say(active, "running")
      case "RequestProgress":
        return this.#say(active, progressWords(event))
      case "RequestFinished": {
        const { report } = event
        if (!active.open.delete(report.request.index)) return
        if (active.open.size > 0) this.#say(active, "running")
        this.#log.info(`${report.request.label}: ${report.status}, ${summarizeReport(report)}`)
        this.#finished.fire({ uri, text, report, project })
        this.#changed.fire()
        return
      }
      case "RunFinished":
        if (event.defect !== undefined) this.#complain(event.defect)
    }
  }

  #say(active: ActiveRun, words: string): void {
    active.words = runWords(active.open.size, active.labels.length, words)
    active.progress.fire(active.words)
  }

  #complain(words: string): void {
    this.#log.error(words)
    showError(`dotrpc: ${words}`)
  }

  /** What broke the run off is shown where its requests are, and none of them is left without an end. */
  #breakOff(active: ActiveRun, input: RunInput, project: Project, defect: unknown): void {
    const secrets = secretsOf(project)
    const words = internalErrorWords(defect, secrets)
    for (const report of active.soFar.reports(0, words))
      if (active.open.has(report.request.index))
        try {
          this.#receive(active, input, project, { _tag: "RequestFinished", report })
        } catch (thrown) {
          // It may be the very view that is broken.
          this.#log.error(internalErrorWords(thrown, secrets))
        }
    this.#complain(words)
  }

  #finish(active: ActiveRun, input: RunInput, project: Project, exit: Exit.Exit<void>): void {
    if (exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)) active.defect ??= { thrown: exit.cause }
    try {
      if (active.defect !== undefined) this.#breakOff(active, input, project, active.defect.thrown)
      for (const index of active.open) this.#stopped(active, input, project, index)
      active.view.end()
    } catch (thrown) {
      // A view that is broken must not leave the run active forever.
      this.#complain(internalErrorWords(thrown, secretsOf(project)))
    } finally {
      this.#setActive(() => this.#active.delete(active))
      this.#ended.fire(project)
      active.end()
    }
  }

  /** Rows that were paid for are shown and kept, also of a request that a person stopped. */
  #stopped(active: ActiveRun, input: RunInput, project: Project, index: number): void {
    const report = active.stopped.get(index)
    if (report?.partial === undefined) return active.view.abandon(index, report?.credits ?? 0)
    this.#receive(active, input, project, { _tag: "RequestFinished", report })
  }

  #setActive(change: () => void): void {
    change()
    const files = [...new Set([...this.#active].flatMap(({ uri }) => pathsOf(uri)))]
    void vscode.commands.executeCommand("setContext", "dotrpc.running", files.length > 0)
    void vscode.commands.executeCommand("setContext", "dotrpc.runningFiles", files)
    this.#changed.fire()
  }
}

const secretsOf = ({ workspace }: Project) => workspace.networks.flatMap(({ network }) => network.secrets)

const isAbout = (event: RunEvent, requests: { readonly has: (index: number) => boolean }): boolean => {
  if (event._tag === "RunStarted" || event._tag === "RunFinished") return false
  const { index } = event._tag === "RequestFinished" ? event.report.request : event.request
  return requests.has(index)
}

/** A file as the window may write its path: in a remote window, it is another machine's, and so may be the separators. */
const pathsOf = ({ fsPath, path }: vscode.Uri): ReadonlyArray<string> => [fsPath, path, path.replaceAll("/", "\\")]

/** A request that ended, and what it was part of. */
export interface FinishedRequest {
  readonly uri: vscode.Uri
  /** What was run, whole. */
  readonly text: string
  readonly report: RequestReport
  readonly project: Project
}

const checkMayRun = (plan: RunPlan, project: Project, sendsNothing: boolean): void => {
  const [problem] = project.problems
  if (problem !== undefined) throw new Error(`Nothing was sent: rpc.config.json has a problem. ${problem.message}`)
  const [leftOut] = plan.skipped
  if (plan.requests.length === 0)
    throw new Error(
      leftOut === undefined ? "There is no request to run in this file." : Visible.oneLine(leftOut.message),
    )
  const refusal = sendsNothing ? undefined : refusalOf(plan, project, vscode.workspace.isTrusted)
  if (refusal !== undefined) throw new Error(refusal)
}

/** Most runs are over sooner, and a message that comes and goes would only distract. */
const pauseMillis = 1_000

const showProgress = (run: ActiveRun): void => {
  const timer = setTimeout(() => {
    void showWorking(titleOf(run), (say, token) => {
      token.onCancellationRequested(run.cancel)
      say(run.words)
      run.progress.event(say)
      return run.ended
    })
  }, pauseMillis)
  void run.ended.then(() => clearTimeout(timer))
}

const titleOf = ({ labels }: ActiveRun): string =>
  `dotrpc: ${labels.length <= 2 ? labels.join(", ") : `${labels.length} requests`}`
