/** Entry of the notebook's renderer: draws each result that a cell shows, in the page of the notebook's outputs. */
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
