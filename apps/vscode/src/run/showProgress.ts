/** Shows a run that takes long, with what it is doing and a way to stop it. */
import * as vscode from "vscode"

import type { ActiveRun } from "./ActiveRun.ts"

/** Most runs are over sooner, and a message that comes and goes would only distract. */
const pauseMillis = 1_000

export const showProgress = (run: ActiveRun): void => {
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: titleOf(run) }
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(run.cancel)
      progress.report({ message: run.words })
      run.progress.event((message) => progress.report({ message }))
      return run.ended
    })
  }, pauseMillis)
  void run.ended.then(() => clearTimeout(timer))
}

const titleOf = ({ labels }: ActiveRun): string =>
  `dotrpc: ${labels.length <= 2 ? labels.join(", ") : `${labels[0]} and ${labels.length - 1} more`}`
