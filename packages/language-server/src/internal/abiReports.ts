/**
 * Reports what is wrong in ABI files at its place in them, as long as an open document leads to them.
 *
 * Invariant: what a client shows of a file is gone once no open document finds anything wrong in it.
 */
import { abiFileProblems } from "@dotrpc/analysis"
import { Visible } from "@dotrpc/spec"
import { type Connection, type Diagnostic, DiagnosticSeverity } from "vscode-languageserver"
import type { OpenDocument } from "./documents.ts"

export interface AbiReports {
  /** A document was analysed. */
  readonly report: (open: OpenDocument) => void
  readonly closed: (uri: string) => void
}

export const makeAbiReports = (connection: Connection): AbiReports => {
  /** The files that each document leads to and that are wrong. */
  const wrong = new Map<string, ReadonlySet<string>>()
  /** What the client shows, as text: most documents are analysed again without a change of their files. */
  const shown = new Map<string, string>()

  const send = (uri: string, diagnostics: Array<Diagnostic>): void => {
    const text = JSON.stringify(diagnostics)
    if (shown.get(uri) === text) return
    shown.set(uri, text)
    void connection.sendDiagnostics({ uri, diagnostics })
  }
  const became = (document: string, files: ReadonlySet<string>): void => {
    const before = wrong.get(document) ?? new Set()
    wrong.set(document, files)
    if (files.size === 0) wrong.delete(document)
    for (const uri of before) {
      if ([...wrong.values()].some((others) => others.has(uri))) continue
      send(uri, [])
      shown.delete(uri)
    }
  }
  return {
    report: ({ document, uri }) => {
      const problems = abiFileProblems(document.analysis)
      became(uri, new Set(problems.map((problem) => problem.uri)))
      for (const problem of problems) send(problem.uri, [toDiagnostic(problem)])
    },
    closed: (uri) => became(uri, new Set()),
  }
}

const toDiagnostic = ({ character, line, message }: ReturnType<typeof abiFileProblems>[number]): Diagnostic => ({
  range: { start: { line, character }, end: { line, character: character + 1 } },
  severity: DiagnosticSeverity.Error,
  code: "A304",
  source: "dotrpc",
  message: Visible.line(message),
})
