/** Each request of the protocol, answered by a feature of the language service. */
import * as service from "@dotrpc/lang-service"
import type { Position } from "@dotrpc/lang"
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  DocumentHighlightKind,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  LSPErrorCodes,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  SelectionRangeRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from "vscode-languageserver"
import type { Answer } from "./answers.ts"
import type { Client } from "./capabilities.ts"
import {
  toCodeAction,
  toCompletionItem,
  toDocumentSymbols,
  toEdits,
  toFoldingRange,
  toHover,
  toInlayHint,
  toRange,
  toSelectionRange,
  toSignatureHelp,
} from "./convert.ts"

export const answerFeatures = (
  answer: Answer,
  client: () => Client,
  hints?: ReadonlyArray<service.InlayHint["kind"]>,
): void => {
  answer(CompletionRequest.type, async ({ document, inProject }, { position }) =>
    service
      .completion(isInImport(document, position) ? await inProject() : document, position)
      .map((offer, index) => toCompletionItem(offer, index, client().takesSnippets)),
  )
  answer(HoverRequest.type, ({ document }, { position }) => {
    const found = service.hover(document, position)
    return found === undefined ? null : toHover(found)
  })
  answer(SignatureHelpRequest.type, ({ document }, { position }) => {
    const found = service.signatureHelp(document, position)
    return found === undefined ? null : toSignatureHelp(found)
  })
  answer(DefinitionRequest.type, ({ document, uri }, { position }) => {
    const found = service.definition(document, position)
    return found === undefined ? null : { uri: found.uri ?? uri, range: toRange(found.range) }
  })
  answer(ReferencesRequest.type, async ({ inProject, uri }, { context, position }) =>
    service
      .references(await inProject(), position)
      .filter((reference) => context.includeDeclaration || !reference.isDefinition)
      .map((reference) => ({ uri: reference.uri ?? uri, range: toRange(reference.range) })),
  )
  answer(DocumentHighlightRequest.type, ({ document }, { position }) =>
    service
      .references(document, position)
      .filter((reference) => reference.uri === undefined)
      .map(({ isDefinition, range }) => ({
        range: toRange(range),
        kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
  )
  answer(PrepareRenameRequest.type, ({ document }, { position }) => {
    const found = service.prepareRename(document, position)
    return "reason" in found ? refused(found) : { range: toRange(found.range), placeholder: found.name }
  })
  answer(RenameRequest.type, async ({ inProject, uri }, { newName, position }) => {
    const found = service.rename(await inProject(), position, newName)
    if ("reason" in found) return refused(found)
    const files = [...new Set(found.map((change) => change.uri ?? uri))]
    const editsOf = (file: string) => toEdits(found.filter((change) => (change.uri ?? uri) === file))
    return { changes: Object.fromEntries(files.map((file) => [file, editsOf(file)])) }
  })
  answer(DocumentLinkRequest.type, ({ document }) =>
    service.documentLinks(document).map(({ range, target }) => ({ range: toRange(range), target })),
  )
  answer(DocumentSymbolRequest.type, ({ document }) => {
    const { analysis, lines } = document
    return toDocumentSymbols(service.symbols(analysis.tree, lines.text, lines))
  })
  answer(FoldingRangeRequest.type, ({ document }) => service.folding(document).map(toFoldingRange))
  answer(SelectionRangeRequest.type, ({ document }, { positions }) =>
    positions.map(
      (position) =>
        toSelectionRange(service.selectionRanges(document, position)) ?? { range: { start: position, end: position } },
    ),
  )
  answer(SemanticTokensRequest.type, ({ document }) => ({ data: [...service.semanticTokens(document)] }))
  answer(SemanticTokensRangeRequest.type, ({ document }, { range }) => ({
    data: [...service.semanticTokens(document, range)],
  }))
  answer(InlayHintRequest.type, ({ document }, { range }) =>
    service
      .inlayHints(document, range)
      .filter(({ kind }) => hints?.includes(kind) ?? true)
      .map(toInlayHint),
  )
  answer(DocumentFormattingRequest.type, ({ document }) => toEdits(service.formatting(document)))
  answer(DocumentRangeFormattingRequest.type, ({ document }, { range }) =>
    toEdits(service.rangeFormatting(document, range)),
  )
  answer(DocumentOnTypeFormattingRequest.type, ({ document }, { ch, position }) =>
    toEdits(service.onTypeFormatting(document, position, ch)),
  )
  answer(CodeActionRequest.type, ({ document, uri }, { context, range }) =>
    service
      .codeActions(document, range)
      .map((action) => toCodeAction(action, uri, context.diagnostics))
      .filter(({ kind }) => context.only === undefined || context.only.some((wanted) => isOfKind(kind ?? "", wanted))),
  )
}

/** Only there files of the project are offered, which have to be found first. */
const isInImport = ({ lines }: service.Document, position: Position): boolean => {
  const start = lines.starts[position.line] ?? 0
  return /^[ \t]*(#|\/\/)[ \t]*@import[ \t]/.test(lines.text.slice(start, start + position.character))
}

/** `refactor` asks for `refactor.rewrite` too. */
const isOfKind = (kind: string, wanted: string): boolean => kind === wanted || kind.startsWith(`${wanted}.`)

const refused = ({ reason }: service.Refusal) => new ResponseError<void>(LSPErrorCodes.RequestFailed, reason)
