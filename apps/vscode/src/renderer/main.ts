/**
 * Draws results: those that cells show, in the page of a notebook's outputs, and one alone in a tab of its own.
 */
import type {
  OutputMessage,
  PageMessage,
  RendererMessage,
  ResultPayload,
  SpendingMessage,
} from "../notebook/ResultPayload.ts"
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
  context.onDidReceiveMessage?.((message) => {
    if (message.kind === "spending") spending = message
    for (const view of views.values()) {
      if (message.kind === "spending") view.spent(message)
      else view.receive(message)
    }
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

/** A separate tab gets what to render by messages; a notebook calls `activate`. */
const drawAlone = (send: (message: RendererMessage) => void): void => {
  let view: ResultView | undefined
  addEventListener("message", ({ data }: MessageEvent<PageMessage>) => {
    if (data.kind === "rows") return view?.receive(data)
    if (data.kind !== "result") return
    view = resultView(data.payload, send, "page")
    document.body.replaceChildren(view.root)
  })
  send({ kind: "ready" })
}

declare const acquireVsCodeApi: () => { readonly postMessage: (message: RendererMessage) => void }

// Only the page of a tab loads this file as its script.
if (document.querySelector("script[src$='/dist/renderer.js']") !== null) drawAlone(acquireVsCodeApi().postMessage)
