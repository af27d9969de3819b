/** Reports problems to the client: on request, or by itself once nobody has typed for a moment. */
import { rangeOf } from "@dotrpc/lang-service"
import { type Project, refusedWords } from "@dotrpc/session"
import { pausing, Visible } from "@dotrpc/spec"
import {
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DocumentDiagnosticReportKind,
  DocumentDiagnosticRequest,
  type FullDocumentDiagnosticReport,
  MessageType,
  ShowMessageNotification,
} from "vscode-languageserver"
import { type AbiReports, makeAbiReports } from "./abiReports.ts"
import { type AnswerRequests, logFailure } from "./answers.ts"
import type { Client } from "./capabilities.ts"
import { toConfigDiagnostics, toDiagnostic } from "./convert.ts"
import type { Documents, OpenDocument } from "./documents.ts"

export interface DiagnosticReports {
  /** The text of a document is another now. */
  readonly changed: (uri: string) => void
  /** The text of a notebook is another now, and with it what any of its cells means. */
  readonly notebookChanged: (uri: string) => void
  readonly closed: (uri: string) => void
  /** Projects are others now, so every document may be. */
  readonly reset: () => void
  /** A document that others may import is another now. */
  readonly importsChanged: () => void
  /** The same of any file, which no client gets. */
  readonly filesChanged: () => void
  readonly dispose: () => void
}

interface ReportsParts {
  readonly connection: Connection
  readonly documents: Documents
  readonly answer: AnswerRequests
  readonly client: () => Client
  /** The projects that are open. */
  readonly configured: () => ReadonlyArray<Project>
  /** How long nobody has typed before a document is reported. */
  readonly quietMillis: number
}

export const makeDiagnosticReports = (parts: ReportsParts): DiagnosticReports => new Reports(parts)

class Reports implements DiagnosticReports {
  readonly #parts: ReportsParts
  readonly #abis: AbiReports
  /** Until nobody has typed for a moment. */
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>()
  /** What is reported next. A notebook may have thousands of cells, and a change of what it imports makes each of them due. */
  readonly #due = new Set<string>()
  #isReporting = false
  /** Configurations that the client shows problems of. */
  readonly #reportedConfigs = new Set<string>()
  readonly #shownWarnings = new Set<string>()

  constructor(parts: ReportsParts) {
    this.#parts = parts
    this.#abis = makeAbiReports(parts.connection)
    parts.answer(
      DocumentDiagnosticRequest.type,
      (open) => fullReport(listOf(open)),
      (uri) => fullReport(this.#refusal(uri)),
    )
  }

  readonly changed: DiagnosticReports["changed"] = (uri) => {
    this.#soon(uri, () => this.#reportInTurn(uri))
  }

  // A client asks again about the cell that was changed, and not about the others.
  readonly notebookChanged: DiagnosticReports["notebookChanged"] = (uri) => {
    this.#soon(uri, () => {
      const cells = this.#parts.documents.notebooks.at(uri)?.cells ?? []
      for (const cell of this.#reportedOf(cells.map((each) => each.uri))) this.#reportInTurn(cell)
      this.#askAgain()
    })
  }

  readonly closed: DiagnosticReports["closed"] = (uri) => {
    this.#forget(uri)
    this.#abis.closed(uri)
    const { client, connection } = this.#parts
    if (!client().pullsDiagnostics) void connection.sendDiagnostics({ uri, diagnostics: [] })
  }

  readonly reset: DiagnosticReports["reset"] = () => {
    this.#refresh(this.#parts.documents.uris())
    this.#soon("", () => this.#parts.configured().forEach((project) => this.#reportConfig(project)))
  }

  readonly importsChanged: DiagnosticReports["importsChanged"] = () => {
    const { client, documents } = this.#parts
    // Their projects are the same, and a client that asks for findings does so again by itself.
    if (client().pullsDiagnostics) return
    for (const uri of documents.importing().flat()) this.changed(uri)
  }

  readonly filesChanged: DiagnosticReports["filesChanged"] = () => {
    this.#refresh(this.#parts.documents.importing())
  }

  readonly dispose: DiagnosticReports["dispose"] = () => {
    for (const uri of this.#waiting.keys()) this.#forget(uri)
  }

  #soon(uri: string, act: () => void): void {
    this.#forget(uri)
    const timer = setTimeout(() => {
      this.#waiting.delete(uri)
      act()
    }, this.#parts.quietMillis)
    this.#waiting.set(uri, timer)
  }

  #forget(uri: string): void {
    clearTimeout(this.#waiting.get(uri))
    this.#waiting.delete(uri)
    this.#due.delete(uri)
  }

  #refresh(texts: ReadonlyArray<ReadonlyArray<string>>): void {
    for (const uri of texts.flatMap((uris) => this.#reportedOf(uris))) this.changed(uri)
    this.#askAgain()
  }

  /** A client that requests diagnostics gets only those of projects, and the cells of a notebook, of which there may be thousands, have one. */
  #reportedOf(uris: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.#parts.client().pullsDiagnostics ? uris.slice(0, 1) : uris
  }

  #askAgain(): void {
    const { client, connection } = this.#parts
    if (client().refreshesDiagnostics) connection.languages.diagnostics.refresh().catch(() => undefined)
    if (client().refreshesInlayHints) connection.languages.inlayHint.refresh().catch(() => undefined)
  }

  #reportInTurn(uri: string): void {
    this.#due.add(uri)
    if (!this.#isReporting) void this.#reportDue()
  }

  async #reportDue(): Promise<void> {
    this.#isReporting = true
    const pause = pausing()
    for (const uri of this.#due) {
      this.#due.delete(uri)
      void this.#report(uri)
      await pause()
    }
    this.#isReporting = false
  }

  async #report(uri: string): Promise<void> {
    const { client, connection, documents } = this.#parts
    try {
      const open = await documents.get(uri)
      if (open !== undefined) {
        this.#reportConfig(open.project)
        this.#abis.report(open)
      }
      if (client().pullsDiagnostics) return
      const found = open === undefined ? this.#refusal(uri) : listOf(open)
      if (open === undefined && found.length === 0) return
      await connection.sendDiagnostics({ uri, diagnostics: found })
    } catch (error) {
      await logFailure(connection, documents, uri, "textDocument/publishDiagnostics", error)
    }
  }

  #refusal(uri: string): Array<Diagnostic> {
    const reason = this.#parts.documents.refused(uri)
    return reason === undefined ? [] : [notice(refusedWords(reason))]
  }

  #reportConfig(project: Project): void {
    const { configFile } = project
    if (configFile === undefined) {
      this.#warn(project.problems.map(({ message }) => message))
      return
    }
    const { uri } = configFile
    const found = toConfigDiagnostics(project)
    if (found.length === 0 && !this.#reportedConfigs.has(uri)) return
    if (found.length === 0) this.#reportedConfigs.delete(uri)
    else this.#reportedConfigs.add(uri)
    void this.#parts.connection.sendDiagnostics({ uri, diagnostics: found })
  }

  /** Each of them once. */
  #warn(warnings: ReadonlyArray<string>): void {
    for (const warning of warnings.filter((message) => !this.#shownWarnings.has(message))) {
      this.#shownWarnings.add(warning)
      // Not as a request: without anything to choose from, some editors would wait for an answer.
      void this.#parts.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Warning,
        message: `dotrpc: ${Visible.line(warning)}`,
      })
    }
  }
}

/** Editors show hundreds of problems at most; what a file has beyond these is counted. */
const mostDiagnostics = 1_000

/** A problem of a title is shown where the cell below it begins. */
const listOf = ({ above, document, part }: OpenDocument): Array<Diagnostic> => {
  const { analysis, lines } = document
  const shown: Array<Diagnostic> = []
  let more = 0
  for (const problem of analysis.diagnostics) {
    const range = rangeOf(lines, problem)
    const clipped = part.clip(range) ?? (above.toPart(range) === undefined ? undefined : atStart)
    if (clipped === undefined) continue
    if (shown.length < mostDiagnostics) shown.push(toDiagnostic(problem, clipped))
    else more++
  }
  if (more === 0) return shown
  const count = `${more.toLocaleString("en")} more ${more === 1 ? "problem is" : "problems are"} not shown`
  return [...shown, notice(`${count}. Run dotrpc check in a terminal to see all of them.`)]
}

/** Of the whole file, so it stands at its start. */
const notice = (message: string): Diagnostic => ({
  range: atStart,
  severity: DiagnosticSeverity.Information,
  source: "dotrpc",
  message,
})

const atStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

const fullReport = (items: Array<Diagnostic>): FullDocumentDiagnosticReport => ({
  kind: DocumentDiagnosticReportKind.Full,
  items,
})
