/** The outline of a document: its variables and its requests. */
import { symbols } from "@dotrpc/lang-service"
import * as vscode from "vscode"

import type { Analyses } from "./Analyses.ts"
import { selector, toRange } from "./ranges.ts"

export const provideOutline = (analyses: Analyses): vscode.Disposable =>
  vscode.languages.registerDocumentSymbolProvider(selector, {
    provideDocumentSymbols: (document) => {
      const { analysis, lines } = analyses.of(document)
      return symbols(analysis.tree, document.getText(), lines).map(
        ({ name, detail, kind, range, selection }) =>
          new vscode.DocumentSymbol(name, detail, kinds[kind], toRange(range), toRange(selection)),
      )
    },
  })

const kinds = {
  request: vscode.SymbolKind.Function,
  section: vscode.SymbolKind.Namespace,
  variable: vscode.SymbolKind.Variable,
} as const
