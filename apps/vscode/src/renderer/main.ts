/**
 * Draws results: those that cells show, in the page of a notebook's outputs, and those of a result pane in its page.
 */
import type { OutputMessage, RendererMessage, ResultPayload, SpendingMessage } from "../results/ResultPayload.ts"
import type { PaneMessage, PaneRequest } from "../pane/PaneMessage.ts"
import { type PaneState, PaneView, stateOf } from "./pane/PaneView.ts"
import { ChosenColumns } from "./ChosenColumns.ts"
import { KnownNames } from "./KnownNames.ts"
import { resultView, type ResultView } from "./resultView.ts"

/** As much of the editor's renderer API as is used here. */
interface RendererContext {
  readonly postMessage?: ((message: RendererMessage) => void) | undefined
  readonly onDidReceiveMessage?: ((listener: (message: OutputMessage) => void) => unknown) | undefined
}

interface OutputItem {
  readonly id: string
  readonly json: () => ResultPayload
}

export const activate = (context: RendererContext) => {
  const views = new Map<string, ResultView>()
  let spending: SpendingMessage | undefined
  const send = (message: RendererMessage): void => context.postMessage?.(message)
  const columns = new ChosenColumns(send)
  const names = new KnownNames()
  context.onDidReceiveMessage?.((message) => {
    if (message.kind === "spending") spending = message
    if (message.kind === "columns") columns.receive(message)
    if (message.kind === "names") names.receive(message)
    for (const view of views.values()) {
      if (message.kind === "spending") view.spent(message)
      else if (message.kind === "columns") view.chooseColumns()
      else if (message.kind === "names") view.showNames()
      else view.receive(message)
    }
  })
  send({ kind: "ready" })
  return {
    renderOutputItem: (item: OutputItem, place: HTMLElement): void => {
      const view = resultView(item.json(), send, { columns, names })
      views.set(item.id, view)
      if (spending !== undefined) view.spent(spending)
      place.replaceChildren(view.root)
    },
    /** Of one output, or of all. */
    disposeOutputItem: (id?: string): void => {
      if (id === undefined) views.clear()
      else views.delete(id)
    },
  }
}

/** The page of a result pane gets what to show by messages; a notebook calls `activate`. */
const showPane = (editor: PaneEditor): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is the editor, not a window.
  const send = (message: PaneRequest) => editor.postMessage(message)
  const view = new PaneView(send, {
    get: () => stateOf(editor.getState()),
    set: (state) => editor.setState(state),
  })
  addEventListener("message", ({ data }: MessageEvent<PaneMessage>) => view.receive(data))
  document.body.replaceChildren(view.root)
  view.start()
}

/** As much of the editor's API for pages as is used here. */
interface PaneEditor {
  readonly postMessage: (message: PaneRequest) => void
  readonly getState: () => unknown
  readonly setState: (state: PaneState) => void
}

declare const acquireVsCodeApi: () => PaneEditor

// Only the page of a pane loads this file as its script.
if (document.querySelector("script[src$='/dist/renderer.js']") !== null) showPane(acquireVsCodeApi())
