/** Each request of the protocol, answered by a feature of the language service. */
import { inSlices } from "@dotrpc/analysis"
import * as service from "@dotrpc/lang-service"
import type { Position } from "@dotrpc/lang/locate"
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
  toFoldingRanges,
  toHover,
  toInlayHint,
  toRange,
  toSelectionRange,
  toSignatureHelp,
  toTokenData,
  toWorkspaceEdit,
} from "./convert.ts"

export const answerFeatures = (
  answer: Answer,
  client: () => Client,
  hints?: ReadonlyArray<service.InlayHint["kind"]>,
): void => {
  answer(CompletionRequest.type, async ({ document, inProject, part }, { position }) => {
    const place = part.toWhole(position)
    const found = service.completion(isInImport(document, place) ? await inProject() : document, place)
    const items = found.flatMap((offer, index) => {
      const range = part.toPart(offer.change.range)
      if (range === undefined) return []
      const { takesSnippets } = client()
      return [toCompletionItem({ ...offer, change: { ...offer.change, range } }, index, takesSnippets)]
    })
    return found.length < service.mostNames ? items : { isIncomplete: true, items }
  })
  answer(HoverRequest.type, ({ document, part }, { position }) => {
    const found = service.hover(document, part.toWhole(position))
    return found === undefined ? null : toHover(found.markdown, part.toPart(found.range))
  })
  answer(SignatureHelpRequest.type, ({ document, part }, { position }) => {
    const found = service.signatureHelp(document, part.toWhole(position))
    return found === undefined ? null : toSignatureHelp(found)
  })
  answer(DefinitionRequest.type, ({ document, locate, part }, { position }) => {
    const found = service.definition(document, part.toWhole(position))
    const location = found === undefined ? undefined : (locate(found) ?? found)
    return location?.uri === undefined ? null : { uri: location.uri, range: toRange(location.range) }
  })
  answer(ReferencesRequest.type, async ({ inProject, locate, part }, { context, position }) =>
    service
      .references(await inProject(), part.toWhole(position))
      .filter((reference) => context.includeDeclaration || !reference.isDefinition)
      .flatMap((reference) => locate(reference) ?? [])
      .map(({ range, uri }) => ({ uri, range: toRange(range) })),
  )
  answer(DocumentHighlightRequest.type, ({ document, part }, { position }) =>
    inPart(
      part,
      service.references(document, part.toWhole(position)).filter(({ uri }) => uri === undefined),
    ).map(({ isDefinition, range }) => ({
      range: toRange(range),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    })),
  )
  answer(PrepareRenameRequest.type, ({ document, part }, { position }) => {
    const found = service.prepareRename(document, part.toWhole(position))
    if ("reason" in found) return refused(found)
    const range = part.toPart(found.range)
    return range === undefined ? null : { range: toRange(range), placeholder: found.name }
  })
  answer(RenameRequest.type, async ({ inProject, locate, part }, { newName, position }) => {
    const found = service.rename(await inProject(), part.toWhole(position), newName)
    return "reason" in found ? refused(found) : toWorkspaceEdit(found, locate)
  })
  answer(DocumentLinkRequest.type, ({ document, part }) =>
    inPart(part, service.documentLinks(document)).map(({ range, target }) => ({ range: toRange(range), target })),
  )
  answer(DocumentSymbolRequest.type, ({ document, part }) => {
    const { analysis, lines } = document
    return toDocumentSymbols(service.symbols(analysis.tree, lines.text, lines), part)
  })
  answer(FoldingRangeRequest.type, ({ document, part }) => toFoldingRanges(service.folding(document), part))
  answer(SelectionRangeRequest.type, ({ document, part }, { positions }) =>
    positions.map((position) => {
      const ranges = service.selectionRanges(document, part.toWhole(position))
      const inside = ranges.flatMap((range) => part.toPart(range) ?? [])
      return toSelectionRange(inside) ?? { range: { start: position, end: position } }
    }),
  )
  answer(SemanticTokensRequest.type, ({ document, part }) => ({
    data: toTokenData(service.semanticTokens(document, part.range), part),
  }))
  answer(SemanticTokensRangeRequest.type, ({ document, part }, { range }) => ({
    data: toTokenData(service.semanticTokens(document, inWhole(part, range)), part),
  }))
  answer(InlayHintRequest.type, ({ document, part }, { range }) =>
    service
      .inlayHints(document, inWhole(part, range))
      .filter(({ kind }) => hints?.includes(kind) ?? true)
      .flatMap((hint) => {
        const place = part.toPart({ start: hint.position, end: hint.position })
        return place === undefined ? [] : [toInlayHint({ ...hint, position: place.start })]
      }),
  )
  answer(DocumentFormattingRequest.type, ({ document, part }) => formatted(document, part, part.range))
  answer(DocumentRangeFormattingRequest.type, ({ document, part }, { range }) =>
    formatted(document, part, inWhole(part, range)),
  )
  answer(DocumentOnTypeFormattingRequest.type, ({ document, part }, { ch, position }) =>
    toEdits(inPart(part, service.onTypeFormatting(document, part.toWhole(position), ch))),
  )
  answer(CodeActionRequest.type, ({ document, locate, part }, { context, range }) =>
    service
      .codeActions(document, inWhole(part, range))
      .flatMap((action) => {
        const edit = toWorkspaceEdit(action.changes, locate)
        return edit === null ? [] : [toCodeAction(action, edit, context.diagnostics)]
      })
      .filter(({ kind }) => context.only === undefined || context.only.some((wanted) => isOfKind(kind ?? "", wanted))),
  )
}

const formatted = async (document: service.Document, part: service.TextPart, range: service.TextRange) => {
  const changes = await inSlices(service.rangeFormattingSteps(document, range))
  return toEdits(inPart(part, changes ?? []))
}

const inWhole = (part: service.TextPart, { end, start }: service.TextRange): service.TextRange => ({
  start: part.toWhole(start),
  end: part.toWhole(end),
})

/** Those whose range is in the part, with their ranges there. */
const inPart = <Item extends { readonly range: service.TextRange }>(
  part: service.TextPart,
  items: ReadonlyArray<Item>,
): ReadonlyArray<Item> =>
  items.flatMap((item) => {
    const range = part.toPart(item.range)
    return range === undefined ? [] : [{ ...item, range }]
  })

/** Only there files of the project are offered, which have to be found first. */
const isInImport = ({ lines }: service.Document, position: Position): boolean => {
  const start = lines.starts[position.line] ?? 0
  return /^[ \t]*(#|\/\/)[ \t]*@import[ \t]/.test(lines.text.slice(start, start + position.character))
}

/** `refactor` asks for `refactor.rewrite` too. */
const isOfKind = (kind: string, wanted: string): boolean => kind === wanted || kind.startsWith(`${wanted}.`)

const refused = ({ reason }: service.Refusal) => new ResponseError<void>(LSPErrorCodes.RequestFailed, reason)
