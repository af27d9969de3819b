/**
 * What the extension itself does with texts, in a process of its own with a watchdog on its thread. It is given texts by their
 * names, and answers with the longest time that its thread was busy at once.
 */
import { inSlices } from "@dotrpc/analysis"
import { slowness, watchThread } from "@dotrpc/bombs"
import { assemble, type FileCell, lenses, readingCells } from "@dotrpc/lang-service"
import { editorText, makeSession, parsingSections } from "@dotrpc/session"
import type { Uri } from "vscode"

import { findingChecks } from "../../../../src/checks/checksOf.ts"
import { findingSecrets } from "../../../../src/history/withoutSecrets.ts"
import { type AnalysedDocument, Analyses } from "../../../../src/project/Analyses.ts"
import { EditorTexts } from "../../../../src/project/EditorTexts.ts"
import { makeProject } from "../../../../src/project/Project.ts"
import { planFor } from "../../../../src/run/planFor.ts"
import { type Files, texts } from "./texts.ts"

/** What the host was asked to do, and the longest time that its thread was busy with it at once. */
export interface Block {
  readonly what: string
  readonly millis: number
}

const project = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
const folder = "file:///project/"

const uri: Uri = {
  scheme: "file",
  authority: "",
  path: "/project/main.rpc",
  query: "",
  fragment: "",
  fsPath: "/project/main.rpc",
  with: () => uri,
  toString: () => `${folder}main.rpc`,
  toJSON: () => `${folder}main.rpc`,
}

/** A document that is edited: what else it could say is never asked. */
class Document implements AnalysedDocument {
  readonly uri = uri
  version = 1
  #text: string

  constructor(text: string) {
    this.#text = text
  }

  getText(): string {
    return this.#text
  }

  type(offset: number, typed: string): void {
    this.#text = this.#text.slice(0, offset) + typed + this.#text.slice(offset)
    this.version++
  }
}

/** Lets what waits run, so that two steps are not one block. */
const turn = () => new Promise<void>((resolve) => void setTimeout(resolve, 1))

type Step = readonly [what: string, act: () => unknown]

/** What the extension does when a text is opened, typed in, run, kept, and opened as a notebook. */
const stepsOf = (files: Files): ReadonlyArray<Step> => {
  const text = files["main.rpc"] ?? ""
  const session = makeSession(
    { current: () => project, loaded: () => Promise.resolve(project) },
    { readFile: (file) => Promise.resolve(files[file.slice(folder.length)]) },
  )
  const texts = new EditorTexts(session)
  const analyses = new Analyses(session, texts)
  const document = new Document(text)
  const look: ReadonlyArray<Step> = [
    ["what the Test Explorer lists", () => inSlices(findingChecks(texts.of(document)))],
    ["what is above calls", () => analyses.current(document)],
    [
      "what is above calls, later",
      async () => {
        if (analyses.refused(document) !== undefined) return
        const { analysis, lines } = await analyses.loaded(document)
        await turn()
        lenses(analysis, lines)
      },
    ],
  ]
  const key = (offset: number): ReadonlyArray<Step> => [
    [`a key at ${offset}`, () => document.type(offset, "a")],
    ...look,
  ]
  let cells: ReadonlyArray<FileCell> = []
  const isRefused = editorText(text).refused !== undefined
  const rest: ReadonlyArray<Step> = [
    [
      "a plan",
      async () => {
        const { parsed } = editorText(text)
        await inSlices(parsingSections(parsed))
        const sources = await session.sources(uri.toString(), parsed)
        await turn()
        await planFor(() => ({ text, requests: [] }), project, sources)
      },
    ],
    ["the secrets of what is kept", () => inSlices(findingSecrets(text, project.workspace))],
    ["the cells", async () => (cells = (await inSlices(readingCells(editorText(text).parsed))) ?? [])],
    ["the text of the cells", () => assemble(cells)],
  ]
  return [...look, ...key(0), ...key(text.length >> 1), ...key(text.length), ...(isRefused ? [] : rest)]
}

const dog = watchThread()

const longestBlock = async (files: Files): Promise<Block> => {
  let worst: Block = { what: "nothing", millis: 0 }
  const steps = stepsOf(files)
  await dog.longest()
  for (const [what, act] of steps) {
    await act()
    const millis = await dog.longest()
    if (millis > worst.millis) worst = { what, millis }
  }
  return worst
}

process.on("message", async (name: string) => {
  if (name === "slowness") return process.send?.(slowness())
  return process.send?.(await longestBlock(texts[name]?.() ?? {}))
})
process.on("disconnect", () => process.exit())
