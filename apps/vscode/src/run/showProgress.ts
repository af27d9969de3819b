/** Shows a run that takes long, with what it is doing and a way to stop it. */

import type { ActiveRun } from "./ActiveRun.ts"
import { showWorking } from "../Shown.ts"

/** Most runs are over sooner, and a message that comes and goes would only distract. */
const pauseMillis = 1_000

export const showProgress = (run: ActiveRun): void => {
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
