/** From the plain data of the features to what the protocol calls it. */
import type { ConfigProblem } from "@dotrpc/analysis"
import { lineIndex } from "@dotrpc/lang"
import type * as service from "@dotrpc/lang-service"
import { rangeOf } from "@dotrpc/lang-service"
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type Hover,
  type InlayHint,
  InsertTextFormat,
  MarkupKind,
  type Range,
  type SelectionRange,
  type SignatureHelp,
  SymbolKind,
  type TextEdit,
} from "vscode-languageserver"
import type { Project } from "./projects.ts"

export const toRange = ({ end, start }: service.TextRange): Range => ({ start: { ...start }, end: { ...end } })

export const toEdits = (changes: ReadonlyArray<service.TextChange>): Array<TextEdit> =>
  changes.map(({ range, text }) => ({ range: toRange(range), newText: text }))

export const toDiagnostic = (diagnostic: service.EditorDiagnostic): Diagnostic => ({
  range: toRange(diagnostic.range),
  severity: severities[diagnostic.severity],
  code: diagnostic.code,
  source: "dotrpc",
  message: diagnostic.message,
})

/** The problems of a configuration file, which is no `.rpc` document. */
export const toConfigDiagnostics = (config: NonNullable<Project["config"]>): Array<Diagnostic> => {
  const { problems, text, warnings = [] } = config
  const lines = lineIndex(text)
  const diagnostic = (problem: ConfigProblem, severity: DiagnosticSeverity): Diagnostic => ({
    range: toRange(rangeOf(lines, problem)),
    severity,
    source: "dotrpc",
    message: problem.message,
  })
  return [
    ...problems.map((problem) => diagnostic(problem, DiagnosticSeverity.Error)),
    ...warnings.map((warning) => diagnostic(warning, DiagnosticSeverity.Warning)),
  ]
}

/** The order of the offers is kept by their sort text, which editors would otherwise take from the labels. */
export const toCompletionItem = (offer: service.Completion, index: number, takesSnippets: boolean): CompletionItem => {
  const text = takesSnippets ? offer.snippet : undefined
  return {
    label: offer.label,
    kind: completionKinds[offer.kind],
    sortText: String(index).padStart(5, "0"),
    filterText: offer.filter,
    textEdit: { range: toRange(offer.change.range), newText: text ?? offer.change.text },
    ...(text === undefined ? {} : { insertTextFormat: InsertTextFormat.Snippet }),
    ...(offer.detail === undefined ? {} : { detail: offer.detail }),
    ...(offer.documentation === undefined ? {} : { documentation: toMarkdown(offer.documentation) }),
  }
}

export const toHover = ({ markdown, range }: service.Hover): Hover => ({
  contents: toMarkdown(markdown),
  range: toRange(range),
})

export const toSignatureHelp = (signature: service.Signature): SignatureHelp => ({
  signatures: [
    {
      label: signature.label,
      documentation: toMarkdown(signature.documentation),
      parameters: signature.parameters.map(({ documentation, end, start }) => ({
        label: [start, end],
        ...(documentation === undefined ? {} : { documentation: toMarkdown(documentation) }),
      })),
    },
  ],
  activeSignature: 0,
  // Older clients know no "none": a number behind the last parameter highlights nothing.
  activeParameter: signature.active ?? signature.parameters.length,
})

export const toCodeAction = (
  action: service.CodeAction,
  uri: string,
  diagnostics: ReadonlyArray<Diagnostic>,
): CodeAction => {
  const repaired = diagnostics.filter((diagnostic) => action.code !== undefined && diagnostic.code === action.code)
  return {
    title: action.title,
    kind: action.kind === "quickfix" ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite,
    ...(repaired.length === 0 ? {} : { diagnostics: repaired }),
    edit: { changes: { [uri]: toEdits(action.changes) } },
  }
}

export const toFoldingRange = ({ end, kind, start }: service.Fold): FoldingRange => ({
  startLine: start,
  endLine: end,
  ...(kind === "comment" ? { kind: FoldingRangeKind.Comment } : {}),
})

/** The outermost range is the last of the chain. */
export const toSelectionRange = (ranges: ReadonlyArray<service.TextRange>): SelectionRange | undefined =>
  ranges.reduceRight<SelectionRange | undefined>(
    (parent, range) => ({ range: toRange(range), ...(parent === undefined ? {} : { parent }) }),
    undefined,
  )

export const toInlayHint = (hint: service.InlayHint): InlayHint => ({
  position: { ...hint.position },
  label: hint.text,
  tooltip: hint.tooltip,
  paddingLeft: true,
})

/** Variables of a section stand below it in the outline. */
export const toDocumentSymbols = (symbols: ReadonlyArray<service.DocumentSymbol>): Array<DocumentSymbol> => {
  const roots: Array<DocumentSymbol> = []
  let section: DocumentSymbol | undefined
  for (const symbol of symbols) {
    const converted: DocumentSymbol = {
      name: symbol.name,
      detail: symbol.detail,
      kind: symbolKinds[symbol.kind],
      range: toRange(symbol.range),
      selectionRange: toRange(symbol.selection),
      children: [],
    }
    if (symbol.kind === "variable" && section !== undefined) section.children?.push(converted)
    else roots.push(converted)
    if (symbol.kind !== "variable") section = converted
  }
  return roots
}

const toMarkdown = (value: string) => ({ kind: MarkupKind.Markdown, value })

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const

const symbolKinds = {
  request: SymbolKind.Method,
  section: SymbolKind.Namespace,
  variable: SymbolKind.Variable,
} as const

const completionKinds: Readonly<Record<service.CompletionKind, CompletionItemKind>> = {
  method: CompletionItemKind.Method,
  example: CompletionItemKind.Snippet,
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  variable: CompletionItemKind.Variable,
  request: CompletionItemKind.Reference,
  function: CompletionItemKind.Function,
  member: CompletionItemKind.Field,
  directive: CompletionItemKind.Keyword,
  network: CompletionItemKind.Module,
  environment: CompletionItemKind.EnumMember,
  secret: CompletionItemKind.Constant,
  keyword: CompletionItemKind.Keyword,
}
