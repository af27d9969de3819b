/** The messages between the outputs of notebooks and the extension: rows, columns, names, spending, and what their buttons ask for. */
import { spentBy } from "@dotrpc/runner"
import * as vscode from "vscode"

import { namesReaderOf } from "../names/namesReaderOf.ts"
import type { KeptNames } from "../names/KeptNames.ts"
import { notebookAt } from "./openNotebooks.ts"
import type { KeptColumns } from "../results/KeptColumns.ts"
import {
  type OutputMessage,
  rendererId,
  type RendererMessage,
  resultCommands,
  type SpendingMessage,
} from "../results/ResultPayload.ts"
import type { RequestResult, Results } from "../results/Results.ts"
import { savePicture } from "../results/savePicture.ts"
import { paidBefore } from "../run/wholeCost.ts"
import { showDone, showError } from "../Shown.ts"
import { rowsMessage } from "./payload.ts"

export interface OutputParts {
  readonly columns: KeptColumns
  readonly names: KeptNames
  readonly results: Results
}

export const provideOutputMessages = ({ columns, names, results }: OutputParts): vscode.Disposable => {
  const messaging = vscode.notebooks.createRendererMessaging(rendererId)
  const send = (message: OutputMessage, notebook?: vscode.NotebookDocument): void => {
    for (const editor of vscode.window.visibleNotebookEditors)
      if (notebook === undefined || editor.notebook === notebook) void messaging.postMessage(message, editor)
  }
  const receive = async (message: RendererMessage, editor: vscode.NotebookEditor): Promise<unknown> => {
    const { notebook } = editor
    switch (message.kind) {
      case "ready": {
        const own = results.of(notebook.uri)
        const all = [columns.all(), ...namesOf(own, names), spendingOf(own)]
        for (const known of all) void messaging.postMessage(known, editor)
        return
      }
      case "columns":
        return columns.take(message)
      case "rows": {
        const slice = rowsMessage(results.reported(message.id)?.report, message.id, message.from)
        return messaging.postMessage(slice, editor)
      }
      case "copy":
        await vscode.env.clipboard.writeText(message.text)
        return showDone("Copied")
      case "picture":
        return savePicture(message, notebook.uri)
      default:
        return vscode.commands.executeCommand(resultCommands[message.kind], { result: reported(results, message.id) })
    }
  }
  return vscode.Disposable.from(
    messaging.onDidReceiveMessage(({ editor, message }) => void receive(message, editor).catch(showError)),
    results.onDidChange((uri) => {
      const notebook = notebookAt(uri)
      if (notebook === undefined) return
      const own = results.of(uri)
      send(spendingOf(own), notebook)
      for (const known of namesOf(own, names)) send(known)
    }),
    columns.onDidChange((message) => send(message)),
    names.onDidChange((message) => send(message)),
  )
}

const reported = (results: Results, id: number): number => {
  const { id: result, request } = results.reported(id) ?? {}
  // The request of a cell that was removed has no place any more.
  if (result === undefined || request === undefined)
    throw new Error("This result is no longer available: run the cell again.")
  return result
}

/** What is known already of the networks of results with rows. */
const namesOf = (results: ReadonlyArray<RequestResult>, names: KeptNames): ReadonlyArray<OutputMessage> => {
  const networks = results.flatMap(({ report }) => {
    if (report === undefined || namesReaderOf(report.request) === undefined) return []
    return report.request.network ?? []
  })
  return [...new Set(networks)].map((network) => names.message(network))
}

const spendingOf = (results: ReadonlyArray<RequestResult>): SpendingMessage => ({
  kind: "spending",
  cells: results
    .toSorted(byPlace)
    .flatMap(({ report, request }) =>
      report === undefined || request === undefined
        ? []
        : [{ label: report.request.label, credits: paidBefore(report) + spentBy(report) }],
    ),
})

/** In the order of the text. */
export const byPlace = (left: Pick<RequestResult, "request">, right: Pick<RequestResult, "request">): number =>
  (left.request?.index ?? 0) - (right.request?.index ?? 0)
