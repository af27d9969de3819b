/** Underlines what is wrong in a document, a moment after it was typed. */
import { diagnostics } from "@dotrpc/lang-service"
import * as vscode from "vscode"

import type { Projects } from "../project/Projects.ts"
import type { Analyses } from "./Analyses.ts"
import { isRpc, toRange } from "./ranges.ts"

/** Long enough not to mark a word that is still being typed. */
const pauseMillis = 200

export const provideProblems = (analyses: Analyses, projects: Projects): vscode.Disposable => {
  const collection = vscode.languages.createDiagnosticCollection("dotrpc")
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()

  const show = async (document: vscode.TextDocument) => {
    // Before the project is known, its networks and variables would be marked as unknown.
    await projects.loaded(document.uri)
    if (!document.isClosed) collection.set(document.uri, problemsOf(document, analyses))
  }
  const showSoon = (document: vscode.TextDocument, millis: number) => {
    const key = document.uri.toString()
    clearTimeout(waiting.get(key))
    waiting.set(
      key,
      setTimeout(() => {
        waiting.delete(key)
        void show(document)
      }, millis),
    )
  }
  const forget = (document: vscode.TextDocument) => {
    const key = document.uri.toString()
    clearTimeout(waiting.get(key))
    waiting.delete(key)
    collection.delete(document.uri)
  }
  const showAll = () => {
    for (const document of vscode.workspace.textDocuments) if (isRpc(document)) showSoon(document, 0)
  }
  showAll()
  return vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument((document) => isRpc(document) && showSoon(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => isRpc(document) && showSoon(document, pauseMillis)),
    vscode.workspace.onDidCloseTextDocument(forget),
    projects.onDidChange(showAll),
    new vscode.Disposable(() => waiting.forEach((timer) => clearTimeout(timer))),
  )
}

const problemsOf = (document: vscode.TextDocument, analyses: Analyses): ReadonlyArray<vscode.Diagnostic> => {
  const { analysis, lines } = analyses.of(document)
  return diagnostics(analysis, lines).map((problem) => {
    const diagnostic = new vscode.Diagnostic(toRange(problem.range), problem.message, severities[problem.severity])
    diagnostic.source = "dotrpc"
    diagnostic.code = problem.code
    return diagnostic
  })
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const
