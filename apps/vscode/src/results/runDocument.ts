/** Runs requests of a text document and shows them beside its text. */
import * as vscode from "vscode"

import { ordinary, type Permit } from "../credits/Permit.ts"
import type { Results } from "./Results.ts"
import type { PaidPart } from "../run/wholeCost.ts"
import type { RunSink } from "../run/RunSink.ts"
import type { RunInput, Runs } from "../run/Runs.ts"

export interface RunDocumentOptions {
  /** Limits that are lifted for this run. */
  readonly permit?: Permit | undefined
  /** See `Planned`. */
  readonly writes?: false | undefined
  /** Whether requests that these need are sent again, although their results are shown. */
  readonly paysAgain?: boolean | undefined
  /** Of the first of the requests, which is resumed instead of read from the beginning. */
  readonly resume?: PaidPart | undefined
  /** Adds to the places where the run is shown. */
  readonly around?: ((sink: RunSink) => RunSink) | undefined
}

/** Runs these requests, by position, and those they need; all that are not skipped when there are none. */
export const runDocument = async (
  runs: Runs,
  results: Results,
  document: vscode.TextDocument,
  requests: ReadonlyArray<number> = [],
  { permit = ordinary, paysAgain = false, resume, around = (sink) => sink, writes }: RunDocumentOptions = {},
): Promise<void> => {
  const { uri } = document
  const sink = around(results.sinkOf(document))
  const [first] = requests
  const resumed = resume === undefined || first === undefined ? undefined : new Map([[first, resume]])
  let chosen: ReadonlyArray<number> = []
  const read = (): RunInput => ({
    uri,
    text: document.getText(),
    requests,
    writes,
    shown: paysAgain ? undefined : ({ index }) => results.reportAt({ uri: uri.toString(), request: index }),
    resume: resumed,
    sink: {
      ...sink,
      begin: (planned, cancel) => {
        const view = sink.begin(planned, cancel)
        chosen = requests.flatMap((request) => results.at({ uri: uri.toString(), request })?.id ?? [])
        return view
      },
    },
    repeat: () => repeat(runs, results, uri, chosen, { paysAgain, writes }),
  })
  const started = results.starting(document, requests)
  try {
    await hasLeft()
    await runs.start(uri, read, permit)
  } finally {
    started()
  }
}

/** The editor's messages wait for a timer, and what a first run loads keeps this process busy for longer. */
const hasLeft = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, messageMillis))

const messageMillis = 5

/** The chosen requests are known by their results, which follow them through edits. */
const repeat = async (
  runs: Runs,
  results: Results,
  uri: vscode.Uri,
  chosen: ReadonlyArray<number>,
  options: Pick<RunDocumentOptions, "paysAgain" | "writes">,
): Promise<void> => {
  const document = await vscode.workspace.openTextDocument(uri)
  const requests = chosen.flatMap((id) => results.get(id)?.request?.index ?? [])
  if (chosen.length > 0 && requests.length === 0) throw new Error("The request that ran last is no longer in its file.")
  await runDocument(runs, results, document, requests, options)
}
