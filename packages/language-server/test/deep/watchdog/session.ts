/** A person at an editor: opens a text, types in several places of it, and has the editor ask for everything. */
import { cellsOf } from "@dotrpc/lang-service"
import { editorText, tooManyCells } from "@dotrpc/session"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node"

/** What the server was asked to do, and the longest time that its thread was busy with it at once. */
export interface Block {
  readonly what: string
  readonly millis: number
}

export interface Session {
  /** The longest block, while a text is opened, edited and closed again. */
  readonly longestBlock: (text: string) => Promise<number>
  /** The same with the question that it was the answer to, which takes longer. */
  readonly longestBlockByStep: (text: string) => Promise<Block>
  /** Both with another project around the text: the files of a folder, as the server reads them again. */
  readonly openFolder: (folder: string) => Promise<void>
  /** How many times slower the machine is than the one on which limits were chosen. */
  readonly slowness: () => Promise<number>
  readonly close: () => void
}

const uri = "file:///project/bomb.rpc"
const textDocument = { uri }

export const openSession = async (): Promise<Session> => {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [], {
    execArgv: ["--conditions=dotrpc-source", "--max-old-space-size=2048"],
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  })
  const { stdin, stdout } = server
  if (stdin === null || stdout === null) throw new Error("the server has no streams")
  const connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin))
  connection.listen()
  const ask = async (question: string): Promise<number> => {
    server.send(question)
    const [answer] = await once(server, "message")
    return Number(answer)
  }
  await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
    workspaceFolders: [{ uri: "file:///project", name: "project" }],
  })
  await connection.sendNotification("initialized", {})
  const measure = async (what: string, act: () => Promise<unknown>): Promise<Block> => {
    await act()
    return { what, millis: await ask("longest") }
  }
  return {
    longestBlock: async (text) => {
      await ask("longest")
      for (const [, act] of steps(connection, text)) await act()
      return ask("longest")
    },
    longestBlockByStep: async (text) => {
      await ask("longest")
      const blocks: Array<Block> = []
      for (const [what, act] of steps(connection, text)) blocks.push(await measure(what, act))
      return blocks.reduce((longest, block) => (block.millis > longest.millis ? block : longest))
    },
    openFolder: async (folder) => {
      await ask(folder)
      const changes = [{ uri: "file:///project/rpc.config.json", type: 2 }]
      await connection.sendNotification("workspace/didChangeWatchedFiles", { changes })
    },
    slowness: () => ask("slowness"),
    close: () => {
      connection.dispose()
      server.disconnect()
    },
  }
}

type Step = readonly [what: string, act: () => Promise<unknown>]

const steps = (connection: ProtocolConnection, text: string): ReadonlyArray<Step> => {
  const lines = text.split(/\r\n|\n|\r/)
  const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  const longest = lines.reduce((found, line, index) => (line.length > (lines[found]?.length ?? 0) ? index : found), 0)
  const places = [{ line: 0, character: 0 }, { line: longest, character: (lines[longest]?.length ?? 0) >> 1 }, end]
  let version = 1
  const replace = (line: number, from: number, to: number, inserted: string) =>
    connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: ++version },
      contentChanges: [{ range: { start: { line, character: from }, end: { line, character: to } }, text: inserted }],
    })
  const asked = (method: string, params: object = {}): Step => [
    method,
    () => connection.sendRequest(method, { textDocument, ...params }),
  ]
  /** What is typed at many cursors, from the last one up, as editors send it. */
  const replaceAtEach = (inserted: string, length: number) =>
    connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: ++version },
      contentChanges: lines
        .slice(0, mostCursors)
        .map((_, line) => ({
          range: { start: { line, character: 0 }, end: { line, character: length } },
          text: inserted,
        }))
        .toReversed(),
    })
  const whole = { start: { line: 0, character: 0 }, end }
  const options = { tabSize: 2, insertSpaces: true }
  const about = [
    asked("textDocument/diagnostic"),
    asked("textDocument/semanticTokens/full"),
    asked("textDocument/documentSymbol"),
    asked("textDocument/foldingRange"),
    asked("textDocument/documentLink"),
    asked("textDocument/inlayHint", { range: whole }),
    asked("textDocument/codeAction", { range: whole, context: { diagnostics: [] } }),
    asked("textDocument/formatting", { options }),
    asked("textDocument/rangeFormatting", { range: whole, options }),
  ]
  const at = places.flatMap((position) => [
    asked("textDocument/hover", { position }),
    asked("textDocument/completion", { position }),
    asked("textDocument/signatureHelp", { position }),
    asked("textDocument/definition", { position }),
    asked("textDocument/references", { position, context: { includeDeclaration: true } }),
    asked("textDocument/documentHighlight", { position }),
    asked("textDocument/selectionRange", { positions: [position] }),
    asked("textDocument/onTypeFormatting", { position, ch: "\n", options }),
    refusable(asked("textDocument/prepareRename", { position })),
    refusable(asked("textDocument/rename", { position, newName: "renamed" })),
  ])
  const keys = places
    .slice(0, 2)
    .flatMap(({ character, line }): ReadonlyArray<Step> => [
      [`a key at ${line}:${character}`, () => replace(line, character, character, "a")],
      asked("textDocument/diagnostic"),
      [`a key back at ${line}:${character}`, () => replace(line, character, character + 1, "")],
    ])
  return [
    [
      "open",
      () =>
        connection.sendNotification("textDocument/didOpen", {
          textDocument: { uri, languageId: "rpc", version, text },
        }),
    ],
    ...about,
    ...at,
    ...keys,
    ["a key at many cursors", () => replaceAtEach("a", 0)],
    ["a key back at many cursors", () => replaceAtEach("", 1)],
    ["close", () => connection.sendNotification("textDocument/didClose", { textDocument })],
    ...notebookSteps(connection, text),
  ]
}

/** Somebody may select all places of a word. */
const mostCursors = 1_000

/** The same text as the cells of a notebook. An editor opens none that is refused. */
const notebookSteps = (connection: ProtocolConnection, text: string): ReadonlyArray<Step> => {
  if (editorText(text).refused !== undefined) return []
  const read = cellsOf(text)
  if (tooManyCells(read.length) !== undefined) return []
  const notebook = "file:///project/notebook.rpc"
  const cells = read.map(({ kind, source, value }, index) => ({
    cell: {
      kind: kind === "code" ? 2 : 1,
      document: `vscode-notebook-cell:///project/notebook.rpc#${index}`,
      metadata: { source },
    },
    value,
  }))
  const documents = cells.map(({ cell, value }) => ({ uri: cell.document, languageId: "rpc", version: 1, text: value }))
  const middle = documents.filter((_, index) => cells[index]?.cell.kind === 2).at(cells.length >> 2)
  if (middle === undefined) return []
  const about = { textDocument: { uri: middle.uri } }
  const start = { line: 0, character: 0 }
  return [
    [
      "open as a notebook",
      () =>
        connection.sendNotification("notebookDocument/didOpen", {
          notebookDocument: {
            uri: notebook,
            notebookType: "dotrpc-notebook",
            version: 1,
            cells: cells.map(({ cell }) => cell),
          },
          cellTextDocuments: documents,
        }),
    ],
    ["the problems of a cell", () => connection.sendRequest("textDocument/diagnostic", about)],
    [
      "a key in a cell",
      () =>
        connection.sendNotification("notebookDocument/didChange", {
          notebookDocument: { uri: notebook, version: 2 },
          change: {
            cells: {
              textContent: [
                {
                  document: { uri: middle.uri, version: 2 },
                  changes: [{ range: { start, end: start }, text: "a" }],
                },
              ],
            },
          },
        }),
    ],
    ["the problems of a cell", () => connection.sendRequest("textDocument/diagnostic", about)],
    ["a hover in a cell", () => connection.sendRequest("textDocument/hover", { ...about, position: start })],
    ["a completion in a cell", () => connection.sendRequest("textDocument/completion", { ...about, position: start })],
    ["the colours of a cell", () => connection.sendRequest("textDocument/semanticTokens/full", about)],
    [
      "close the notebook",
      () =>
        connection.sendNotification("notebookDocument/didClose", {
          notebookDocument: { uri: notebook },
          cellTextDocuments: documents.map(({ uri: cell }) => ({ uri: cell })),
        }),
    ],
  ]
}

/** Not every place has a name that can be another. */
const refusable = ([what, act]: Step): Step => [what, () => act().catch(() => null)]
