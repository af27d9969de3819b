/**
 * Draws results: those that cells show, in the page of a notebook's outputs, and one alone in a tab of its own.
 */
import type { RendererMessage, ResultPayload, SpendingMessage } from "../notebook/ResultPayload.ts"
import { resultView, type ResultView } from "./resultView.ts"

/** As much of the editor's renderer API as is used here. */
interface RendererContext {
  readonly postMessage?: (message: RendererMessage) => void
  readonly onDidReceiveMessage?: (listener: (message: SpendingMessage) => void) => unknown
}

interface OutputItem {
  readonly id: string
  readonly json: () => ResultPayload
}

export const activate = (context: RendererContext) => {
  const views = new Map<string, ResultView>()
  let spending: SpendingMessage | undefined
  context.onDidReceiveMessage?.((message) => {
    spending = message
    for (const view of views.values()) view.spent(message)
  })
  const send = (message: RendererMessage): void => context.postMessage?.(message)
  send({ kind: "ready" })
  return {
    renderOutputItem: (item: OutputItem, place: HTMLElement): void => {
      const view = resultView(item.json(), send)
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

/** A tab of its own is told what to draw by messages; a notebook calls `activate`. */
const drawAlone = (send: (message: RendererMessage) => void): void => {
  addEventListener("message", ({ data }: MessageEvent<{ readonly payload?: ResultPayload }>) => {
    if (data.payload !== undefined) document.body.replaceChildren(resultView(data.payload, send, "page").root)
  })
  send({ kind: "ready" })
}

declare const acquireVsCodeApi: () => { readonly postMessage: (message: RendererMessage) => void }

// Only the page of a tab loads this file as its script.
if (document.querySelector("script[src$='/dist/renderer.js']") !== null) drawAlone(acquireVsCodeApi().postMessage)
