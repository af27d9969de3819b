/**
 * From the plain data of the features to what the protocol calls it.
 *
 * Invariant: whatever an editor shows and a file wrote has a mark for each character that is not seen. Texts that an editor
 * inserts or compares stay as they are.
 */
import { atOnce, type ConfigProblem, type Steps } from "@dotrpc/analysis"
import { lineIndex } from "@dotrpc/lang/locate"
import type * as service from "@dotrpc/lang-service"
import { rangeOf } from "@dotrpc/lang-service"
import type { Project, ProjectProblem } from "@dotrpc/session"
import { Visible } from "@dotrpc/spec"
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
  type Location,
  MarkupKind,
  type Range,
  type SelectionRange,
  type SignatureHelp,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver"
import type { OpenDocument } from "./documents.ts"

export const toRange = ({ end, start }: service.TextRange): Range => ({ start: { ...start }, end: { ...end } })

export const toEdits = (changes: ReadonlyArray<service.TextChange>): Array<TextEdit> =>
  changes.map(({ range, text }) => ({ range: toRange(range), newText: text }))

/** Where the client has each reference; those that it has nowhere are left out. */
export function* locatingReferences(
  references: ReadonlyArray<service.Reference>,
  locate: OpenDocument["locate"],
): Steps<Array<Location>> {
  const found: Array<Location> = []
  for (const reference of references) {
    yield
    const place = locate(reference)
    if (place !== undefined) found.push({ uri: place.uri, range: toRange(place.range) })
  }
  return found
}

/** The edits of each document; `null` when one of them has no place at the client, as none may be left out. */
export const toWorkspaceEdit = (
  changes: ReadonlyArray<service.FileChange>,
  locate: OpenDocument["locate"],
): WorkspaceEdit | null => atOnce(writingWorkspaceEdit(changes, locate))

/** As {@link toWorkspaceEdit}, in steps of one change each. */
export function* writingWorkspaceEdit(
  changes: ReadonlyArray<service.FileChange>,
  locate: OpenDocument["locate"],
): Steps<WorkspaceEdit | null> {
  const edits: Record<string, Array<TextEdit>> = {}
  for (const change of changes) {
    yield
    const place = locate(change)
    if (place === undefined) return null
    const own = (edits[place.uri] ??= [])
    own.push({ range: toRange(place.range), newText: change.text })
  }
  return { changes: edits }
}

export const toDiagnostic = (
  diagnostic: Omit<service.EditorDiagnostic, "range" | "fix">,
  range: service.TextRange,
): Diagnostic => ({
  range: toRange(range),
  severity: severities[diagnostic.severity],
  code: diagnostic.code,
  source: "dotrpc",
  message: Visible.line(diagnostic.message),
})

/** The problems of a configuration file, which is no `.rpc` document. */
export const toConfigDiagnostics = ({ configFile, problems, warnings }: Project): Array<Diagnostic> => {
  const lines = lineIndex(configFile?.text ?? "")
  /** A message about another file begins with that file's name. */
  const named = (problem: ProjectProblem): ProjectProblem => {
    const isOwn = problem.file === undefined || problem.file === configFile?.uri
    return isOwn ? problem : { ...problem, message: `${problem.file.replace(/^.*\//, "")}: ${problem.message}` }
  }
  const diagnostic = (problem: ConfigProblem, severity: DiagnosticSeverity): Diagnostic => ({
    range: toRange(rangeOf(lines, problem)),
    severity,
    ...(problem.code === undefined ? {} : { code: problem.code }),
    source: "dotrpc",
    message: Visible.line(problem.message),
  })
  return [
    ...problems.map((problem) => diagnostic(named(problem), DiagnosticSeverity.Error)),
    ...warnings.map((warning) => diagnostic(warning, DiagnosticSeverity.Warning)),
  ]
}

/** The order of the offers is kept by their sort text, which editors would otherwise take from the labels. */
export const toCompletionItem = (offer: service.Completion, index: number, takesSnippets: boolean): CompletionItem => {
  const text = takesSnippets ? offer.snippet : undefined
  return {
    label: Visible.line(offer.label),
    kind: completionKinds[offer.kind],
    sortText: String(index).padStart(5, "0"),
    filterText: offer.filter,
    textEdit: { range: toRange(offer.change.range), newText: text ?? offer.change.text },
    ...(text === undefined ? {} : { insertTextFormat: InsertTextFormat.Snippet }),
    ...(offer.detail === undefined ? {} : { detail: Visible.line(offer.detail) }),
    ...(offer.documentation === undefined ? {} : { documentation: toMarkdown(offer.documentation) }),
  }
}

export const toHover = (markdown: string, range: service.TextRange | undefined): Hover => ({
  contents: toMarkdown(markdown),
  ...(range === undefined ? {} : { range: toRange(range) }),
})

export const toSignatureHelp = (signature: service.Signature): SignatureHelp => ({
  signatures: [
    {
      // It is as long as before, and so the parameters are where they were.
      label: Visible.line(signature.label),
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
  edit: WorkspaceEdit,
  diagnostics: ReadonlyArray<Diagnostic>,
): CodeAction => {
  const repaired = diagnostics.filter((diagnostic) => action.code !== undefined && diagnostic.code === action.code)
  return {
    title: Visible.line(action.title),
    kind: action.kind === "quickfix" ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite,
    ...(repaired.length === 0 ? {} : { diagnostics: repaired }),
    edit,
  }
}

/** A fold that begins above a cell, as that of its section does at the title, is not a fold of the cell. */
export const toFoldingRanges = (
  folds: ReadonlyArray<service.Fold>,
  { range: { end, start } }: service.TextPart,
): Array<FoldingRange> =>
  folds
    .filter((fold) => start.line <= fold.start && fold.end <= end.line)
    .map((fold) => ({
      startLine: fold.start - start.line,
      endLine: fold.end - start.line,
      ...(fold.kind === "comment" ? { kind: FoldingRangeKind.Comment } : {}),
    }))

/** The first token is counted from the beginning of the part, every other one from the token before it. */
export const toTokenData = (data: ReadonlyArray<number>, { range: { start } }: service.TextPart): Array<number> => {
  const [line = 0, character = 0] = data
  const moved = data.slice()
  if (data.length > 0) moved[0] = line - start.line
  if (data.length > 0 && line === start.line) moved[1] = character - start.character
  return moved
}

/** The outermost range is the last of the chain. */
export const toSelectionRange = (ranges: ReadonlyArray<service.TextRange>): SelectionRange | undefined =>
  ranges.reduceRight<SelectionRange | undefined>(
    (parent, range) => ({ range: toRange(range), ...(parent === undefined ? {} : { parent }) }),
    undefined,
  )

export const toInlayHint = (hint: service.InlayHint): InlayHint => ({
  position: { ...hint.position },
  label: Visible.line(hint.text),
  tooltip: Visible.lines(hint.tooltip),
  paddingLeft: true,
})

/** Variables of a section stand below it in the outline. Of a section, a cell may hold only what is below the title. */
export const toDocumentSymbols = (
  symbols: ReadonlyArray<service.DocumentSymbol>,
  part: service.TextPart,
): Array<DocumentSymbol> => {
  const roots: Array<DocumentSymbol> = []
  let section: DocumentSymbol | undefined
  for (const symbol of symbols) {
    const range = part.clip(symbol.range)
    if (range === undefined) continue
    const selection = part.toPart(symbol.selection) ?? { start: range.start, end: range.start }
    const converted: DocumentSymbol = {
      name: Visible.line(symbol.name),
      detail: Visible.line(symbol.detail),
      kind: symbolKinds[symbol.kind],
      range: toRange(range),
      selectionRange: toRange(selection),
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
