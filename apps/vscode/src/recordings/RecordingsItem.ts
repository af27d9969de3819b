/** In the status bar while runs are recorded or answered from recordings; a click ends that. */
import * as vscode from "vscode"

import { nameOf, type Recordings } from "../project/Recordings.ts"
import { statusEntry } from "../Shown.ts"

export const provideRecordingsItem = (recordings: Recordings): vscode.Disposable => {
  const item = statusEntry("dotrpc.recordings", "dotrpc recordings", 92, "dotrpc.stopRecordings")
  const show = (): void => {
    const { current } = recordings
    void vscode.commands.executeCommand("setContext", "dotrpc.hasRecordings", current !== undefined)
    if (current === undefined) return item.hide()
    const { folder, kind } = current
    if (kind === "record")
      return item.show(
        "record",
        `recording in ${nameOf(folder)}`,
        `Calls and their answers are written into ${folder}, without secrets. Click to stop recording.`,
      )
    item.show(
      "debug-rerun",
      `replaying ${nameOf(folder)}`,
      `Calls are answered from ${folder}: nothing is sent, and 0 credits are spent. Click to send requests again.`,
    )
  }
  show()
  return vscode.Disposable.from(item, recordings.onDidChange(show))
}
