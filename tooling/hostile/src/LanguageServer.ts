/** `dotrpc lsp --stdio`, spoken to by hand: an editor that opens a file and asks about it. */
import { pathToFileURL } from "node:url"
import type { Bounds, Outcome, Place } from "./Command.ts"
import { startDotrpc } from "./Command.ts"

/** How long something takes is the time of a processor, and 0 where that is not measured. */
export interface LanguageServer {
  /** Opens a file, and resolves with the seconds of work until its problems are reported. */
  readonly open: (path: string, text: string) => Promise<number>
  /** Asks, and resolves with the seconds of work until there is an answer. */
  readonly ask: (method: string, params: object) => Promise<number>
  readonly stop: () => Promise<Outcome>
}

export const startLanguageServer = async (place: Place, bounds: Bounds): Promise<LanguageServer> => {
  const running = startDotrpc(["lsp", "--stdio"], place, bounds)
  const waiting = new Map<string, () => void>()
  let read = 0
  let ended = false
  const end = running.ended.then((outcome) => {
    ended = true
    waiting.forEach((resolve) => resolve())
    return outcome
  })
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    running.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  /** Whatever came since the last look is split into messages by their marks; nothing else of them matters. */
  const listen = setInterval(() => {
    const heard = running.stdout().slice(read)
    const whole = heard.lastIndexOf("}")
    if (whole < 0) return
    for (const [name, resolve] of waiting)
      if (heard.includes(name)) {
        waiting.delete(name)
        resolve()
      }
    read += Math.max(0, whole - 2_000)
  }, 5)
  const until = async (mark: string, act: () => void): Promise<number> => {
    const begun = running.seconds()
    const heard = new Promise<void>((resolve) => waiting.set(mark, resolve))
    act()
    await heard
    if (ended) throw new Error(`the language server ended: ${JSON.stringify((await end).stderr.slice(0, 500))}`)
    return running.seconds() - begun
  }
  let id = 0
  const ask = (method: string, params: object): Promise<number> => {
    const own = `question ${++id};`
    return until(own, () => send({ id: own, method, params }))
  }
  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(place.cwd).href,
    capabilities: {},
    workspaceFolders: null,
  })
  send({ method: "initialized", params: {} })
  return {
    ask,
    open: (path, text) => {
      const uri = pathToFileURL(path).href
      return until(JSON.stringify(uri), () =>
        send({
          method: "textDocument/didOpen",
          params: { textDocument: { uri, languageId: "rpc", version: 1, text } },
        }),
      )
    },
    stop: () => {
      clearInterval(listen)
      running.send("SIGTERM")
      return end
    },
  }
}
