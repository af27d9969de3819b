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
import { makeAbiReports } from "./abiReports.ts"
import { type Answer, logFailure } from "./answers.ts"
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

export const makeDiagnosticReports = (
  connection: Connection,
  documents: Documents,
  answer: Answer,
  client: () => Client,
  configured: () => ReadonlyArray<Project>,
  quietMillis: number,
): DiagnosticReports => {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  /** Configurations that the client shows problems of. */
  const reportedConfigs = new Set<string>()
  const abis = makeAbiReports(connection)
  const told = new Set<string>()
  /** What is reported next. A notebook may have thousands of cells, and a change of what it imports makes each of them due. */
  const due = new Set<string>()

  const forget = (uri: string): void => {
    clearTimeout(waiting.get(uri))
    waiting.delete(uri)
    due.delete(uri)
  }
  const reportConfig = (project: Project): void => {
    const { configFile } = project
    const said = configFile === undefined ? project.problems.map(({ message }) => message) : []
    for (const warning of said.filter((message) => !told.has(message))) {
      told.add(warning)
      // Not as a request: without anything to choose from, some editors would wait for an answer.
      void connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Warning,
        message: `dotrpc: ${Visible.line(warning)}`,
      })
    }
    if (configFile === undefined) return
    const { uri } = configFile
    const found = toConfigDiagnostics(project)
    if (found.length === 0 && !reportedConfigs.has(uri)) return
    if (found.length === 0) reportedConfigs.delete(uri)
    else reportedConfigs.add(uri)
    void connection.sendDiagnostics({ uri, diagnostics: found })
  }
  const report = async (uri: string): Promise<void> => {
    try {
      const open = await documents.get(uri)
      if (open !== undefined) {
        reportConfig(open.project)
        abis.report(open)
      }
      if (client().pullsDiagnostics) return
      const found = open === undefined ? refusal(uri) : listOf(open)
      if (open === undefined && found.length === 0) return
      await connection.sendDiagnostics({ uri, diagnostics: found })
    } catch (error) {
      await logFailure(connection, documents, uri, "textDocument/publishDiagnostics", error)
    }
  }
  const soon = (uri: string, act: () => void): void => {
    forget(uri)
    const timer = setTimeout(() => {
      waiting.delete(uri)
      act()
    }, quietMillis)
    waiting.set(uri, timer)
  }
  let isReporting = false
  const reportDue = async (): Promise<void> => {
    if (isReporting) return
    isReporting = true
    const pause = pausing()
    for (const uri of due) {
      due.delete(uri)
      void report(uri)
      await pause()
    }
    isReporting = false
  }
  const reportInTurn = (uri: string): void => {
    due.add(uri)
    void reportDue()
  }
  const schedule = (uri: string): void => soon(uri, () => reportInTurn(uri))
  const askAgain = (): void => {
    if (client().refreshesDiagnostics) connection.languages.diagnostics.refresh().catch(() => undefined)
    if (client().refreshesInlayHints) connection.languages.inlayHint.refresh().catch(() => undefined)
  }
  /** A client that requests diagnostics gets only those of projects, and the cells of a notebook, of which there may be thousands, have one. */
  const reportedOf = (uris: ReadonlyArray<string>): ReadonlyArray<string> =>
    client().pullsDiagnostics ? uris.slice(0, 1) : uris
  const refresh = (texts: ReadonlyArray<ReadonlyArray<string>>): void => {
    texts.flatMap(reportedOf).forEach(schedule)
    askAgain()
  }

  const refusal = (uri: string): Array<Diagnostic> => {
    const reason = documents.refused(uri)
    return reason === undefined ? [] : [notice(refusedWords(reason))]
  }

  answer(
    DocumentDiagnosticRequest.type,
    (open) => fullReport(listOf(open)),
    (uri) => fullReport(refusal(uri)),
  )
  return {
    changed: schedule,
    // A client asks again about the cell that was changed, and not about the others.
    notebookChanged: (uri) =>
      soon(uri, () => {
        const cells = documents.notebooks.at(uri)?.cells ?? []
        reportedOf(cells.map((cell) => cell.uri)).forEach(reportInTurn)
        askAgain()
      }),
    closed: (uri) => {
      forget(uri)
      abis.closed(uri)
      if (!client().pullsDiagnostics) void connection.sendDiagnostics({ uri, diagnostics: [] })
    },
    reset: () => {
      refresh(documents.uris())
      soon("", () => configured().forEach(reportConfig))
    },
    importsChanged: () => {
      // Their projects are the same, and a client that asks for findings does so again by itself.
      if (!client().pullsDiagnostics) documents.importing().flat().forEach(schedule)
    },
    filesChanged: () => refresh(documents.importing()),
    dispose: () => [...waiting.keys()].forEach(forget),
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
