/**
 * The checks of requests in the Test Explorer. Running one runs its request, and shows the result in its file too.
 *
 * Invariant: finding checks runs nothing.
 */
import * as vscode from "vscode"

import type { EditorTexts } from "../project/EditorTexts.ts"
import type { Results } from "../results/Results.ts"
import type { RunSink, RunView } from "../run/RunSink.ts"
import type { Runs } from "../run/Runs.ts"
import { runDocument } from "../results/runDocument.ts"
import { teeSink } from "../run/teeSink.ts"
import { CheckRun } from "./CheckRun.ts"
import { CheckTree } from "./CheckTree.ts"
import { traceRun } from "./traceRun.ts"
import { testMessage } from "../Shown.ts"

export const provideChecks = (results: Results, runs: Runs, texts: EditorTexts): vscode.Disposable => {
  const tree = new CheckTree(texts)
  const handler =
    (watching: (run: vscode.TestRun) => ReadonlyArray<RunView>) =>
    async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
      if (request.include === undefined) await tree.discover()
      const run = tree.controller.createTestRun(request)
      const { files, leftOut } = chosenFiles(tree, request)
      for (const item of leftOut) item.children.forEach((check) => run.skipped(check))
      for (const file of files) {
        if (token.isCancellationRequested) break
        await runFile({ tree, results, runs, run, token }, file, watching(run))
      }
      run.end()
    }
  const { controller } = tree
  const { Run, Debug } = vscode.TestRunProfileKind
  const plain = handler(() => [])
  const traced = handler((run) => [traceRun(run)])
  return vscode.Disposable.from(
    tree,
    controller.createRunProfile("Run", Run, plain, true),
    controller.createRunProfile("Run with Trace", Debug, traced, true),
  )
}

interface RunParts {
  readonly tree: CheckTree
  readonly results: Results
  readonly runs: Runs
  readonly run: vscode.TestRun
  readonly token: vscode.CancellationToken
}

const runFile = async (
  { tree, results, runs, run, token }: RunParts,
  { uri, requests, writes }: ChosenFile,
  watching: ReadonlyArray<RunView>,
): Promise<void> => {
  let asked: ReadonlyArray<vscode.TestItem> = [...requests.values()].flatMap(childrenOf)
  try {
    // A file may be gone by now.
    const document = await vscode.workspace.openTextDocument(uri)
    const items = await tree.update(document)
    const chosen = [...requests.keys()].filter((request) => items.has(request))
    asked = chosen.flatMap((request) => items.get(request) ?? [])
    for (const item of asked) run.enqueued(item)
    if (chosen.length === 0) return
    const around = (sink: RunSink): RunSink => ({
      ...sink,
      begin: (planned, cancel) => {
        token.onCancellationRequested(cancel)
        return teeSink(sink, new CheckRun(run, items), ...watching).begin(planned, cancel)
      },
    })
    await runDocument(runs, results, document, chosen, { around, paysAgain: true, writes })
  } catch (error) {
    const message = testMessage(wordsOf(error))
    for (const item of asked) run.errored(item, message)
  }
}

const childrenOf = ({ children }: vscode.TestItem): ReadonlyArray<vscode.TestItem> =>
  [...children].map(([, item]) => item)

interface ChosenFile {
  readonly uri: vscode.Uri
  /** The requests whose checks are to run, by their positions. */
  readonly requests: ReadonlyMap<number, vscode.TestItem>
  /** False unless a request was chosen itself: see `Planned`. */
  readonly writes: false | undefined
}

interface Chosen {
  readonly files: ReadonlyArray<ChosenFile>
  /** Requests whose file was chosen, but that run only when they are chosen themselves. */
  readonly leftOut: ReadonlyArray<vscode.TestItem>
}

/** What a run was asked for, by file: a check stands for its request, a file for all of its requests that a run of it has. */
const chosenFiles = (tree: CheckTree, { include, exclude = [] }: vscode.TestRunRequest): Chosen => {
  const leftOut: Array<vscode.TestItem> = []
  const chosen = new Map<string, { readonly uri: vscode.Uri; readonly requests: Map<number, vscode.TestItem> }>()
  const add = (item: vscode.TestItem): void => {
    const place = tree.placeOf(item)
    if (place === undefined || exclude.includes(item)) return
    if (place.request === undefined) {
      item.children.forEach((child) => (tree.placeOf(child)?.isLeftOut === true ? leftOut.push(child) : add(child)))
      return
    }
    // A check stands for its request.
    const branch = item.parent !== undefined && tree.placeOf(item.parent)?.request !== undefined ? item.parent : item
    const file = chosen.get(place.uri.toString()) ?? { uri: place.uri, requests: new Map() }
    chosen.set(place.uri.toString(), file)
    file.requests.set(place.request, branch)
  }
  if (include === undefined) tree.controller.items.forEach(add)
  else include.forEach(add)
  const isOne = include?.length === 1 && include.every((item) => tree.placeOf(item)?.request !== undefined)
  const writes = isOne ? undefined : false
  return { files: [...chosen.values()].map(({ uri, requests }) => ({ uri, requests, writes })), leftOut }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
