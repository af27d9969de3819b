/**
 * The language server and the extension share a session: what one of them has read and analysed, the other one has. Counted
 * by the session itself, with the real server at the other end of two streams.
 */
import { PassThrough } from "node:stream"

import { serveSession } from "@dotrpc/language-server"
import { makeSession } from "@dotrpc/session"
import { afterEach, expect, test } from "vitest"
import type { Uri } from "vscode"
import {
  createConnection,
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node"

import { Analyses } from "../../src/project/Analyses.ts"
import { EditorTexts } from "../../src/project/EditorTexts.ts"
import { makeProject } from "../../src/project/Project.ts"

const address = "file:///project/a.rpc"

const uri: Uri = {
  scheme: "file",
  authority: "",
  path: "/project/a.rpc",
  query: "",
  fragment: "",
  fsPath: "/project/a.rpc",
  with: () => uri,
  toString: () => address,
  toJSON: () => address,
}

/** A document of the editor. */
const documentOf = (text: string) => {
  let now = text
  return {
    uri,
    version: 1,
    isClosed: false,
    getText: () => now,
    type(typed: string) {
      now += typed
      this.version++
    },
  }
}

const started: Array<{ readonly dispose: () => void }> = []
afterEach(() => started.splice(0).forEach((connection) => connection.dispose()))

const start = async (text: string) => {
  const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const session = makeSession(
    { current: () => project, loaded: () => Promise.resolve(project) },
    { readFile: () => Promise.resolve(undefined) },
  )
  const texts = new EditorTexts(session)
  const analyses = new Analyses(session, texts)
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const served = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  serveSession(served, { session, isFed: true })
  const client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  started.push(client)
  client.listen()
  await client.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: {} } },
    workspaceFolders: null,
  })
  const document = documentOf(text)
  const textDocument = { uri: address }
  const lines = () => document.getText().split("\n").length - 1
  return {
    analyses,
    document,
    session,
    texts,
    open: () =>
      client.sendNotification("textDocument/didOpen", {
        textDocument: { ...textDocument, languageId: "rpc", version: document.version, text: document.getText() },
      }),
    /** As the editor does: the document is another, its listeners are notified of it, and the client tells the server. */
    type: (typed: string) => {
      const end = { line: lines(), character: 0 }
      document.type(typed)
      texts.of(document)
      return client.sendNotification("textDocument/didChange", {
        textDocument: { ...textDocument, version: document.version },
        contentChanges: [{ range: { start: end, end }, text: typed }],
      })
    },
    problems: async () => {
      const report = await client.sendRequest<{ readonly items: ReadonlyArray<{ readonly message: string }> }>(
        "textDocument/diagnostic",
        { textDocument },
      )
      return report.items.map(({ message }) => message)
    },
    colours: () => client.sendRequest("textDocument/semanticTokens/full", { textDocument }),
    /** How many texts and analyses some work takes. */
    cost: async (act: () => unknown) => {
      const before = session.counts()
      await act()
      const after = session.counts()
      return { texts: after.texts - before.texts, analyses: after.analyses - before.analyses }
    },
  }
}

const file = (sections: number) => "### A\neth_getLogs [{}]\n".repeat(sections)

const check = (name: string, sections: number) =>
  test(`a key in ${name} is read and analysed once, for lenses, results, problems and colours`, async () => {
    const { analyses, colours, cost, document, open, problems, type } = await start(file(sections))
    await open()
    await Promise.all([analyses.loaded(document), problems()])
    for (const typed of ["### B\n", "eth_getLogz [{}]\n", "\n"]) {
      const key = async () => {
        await type(typed)
        analyses.current(document)
        await Promise.all([problems(), analyses.loaded(document), colours(), problems()])
      }
      expect(await cost(key)).toEqual({ texts: 1, analyses: 1 })
    }
    expect((await problems()).join()).toContain("eth_getLogz")
  })
check("a short file", 2)
check("a file that takes many slices", 2_000)

test("what the server says is what the lenses are made of, and all of it one analysis", async () => {
  const { analyses, document, open, problems, session, type } = await start(file(1))
  await open()
  await type("### B\neth_getLogz [{}]\n")
  const said = await problems()
  const { analysis } = await analyses.loaded(document)
  expect(said).toEqual(analysis.diagnostics.map(({ message }) => message))
  expect(session.current(address)?.analysis).toBe(analysis)
})

test("a document that is closed and opened again is read as it is then", async () => {
  const { analyses, document, open, problems, texts } = await start(file(1))
  await open()
  await problems()
  texts.close(document)
  document.isClosed = true
  await expect(analyses.loaded(document)).rejects.toThrow("closed")
  const again = documentOf("### C\neth_getLogz [{}]\n")
  expect((await analyses.loaded(again)).lines.text).toBe(again.getText())
  expect((await problems()).join()).toContain("eth_getLogz")
})
