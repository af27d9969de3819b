/** Each request of the protocol, answered by a feature of the language service. */
import { fileName, type Steps } from "@dotrpc/analysis"
import * as service from "@dotrpc/lang-service"
import type { Position } from "@dotrpc/lang/locate"
import type { FileHost } from "@dotrpc/session"
import { Visible } from "@dotrpc/spec"
import {
  CodeActionRequest,
  type Command,
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
import type { AnswerRequests, AskedDocument } from "./answers.ts"
import type { Client } from "./capabilities.ts"
import {
  locatingReferences,
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
  writingWorkspaceEdit,
} from "./convert.ts"

export interface FeaturesParts {
  readonly answer: AnswerRequests
  readonly client: () => Client
  /** The inlay hints that are wanted; all of them when absent. */
  readonly hints?: ReadonlyArray<service.InlayHint["kind"]> | undefined
  /** What asks for completion again. */
  readonly suggestCommand?: Command | undefined
  readonly readFile?: FileHost["readFile"] | undefined
}

export const answerFeatures = (parts: FeaturesParts): void => {
  answerCompletion(parts)
  answerAboutPlace(parts)
  answerNames(parts)
  answerStructure(parts)
  answerShown(parts)
  answerEdits(parts)
}

const answerCompletion = ({ answer, client, suggestCommand }: FeaturesParts): void => {
  answer(CompletionRequest.type, async ({ document, inProject, part }, { context, position }) => {
    const place = part.toWhole(position)
    const known = leadsToFile(document, place) ? await inProject() : document
    if (known === undefined) return undefined
    const found = service.completion(known, place, context?.triggerCharacter)
    const items = found.flatMap((offer, index) => {
      const range = part.toPart(offer.change.range)
      if (range === undefined) return []
      const { takesSnippets } = client()
      const item = toCompletionItem({ ...offer, change: { ...offer.change, range } }, index, takesSnippets)
      return [suggestCommand === undefined || offer.leadsOn !== true ? item : { ...item, command: suggestCommand }]
    })
    return found.length < service.mostNames ? items : { isIncomplete: true, items }
  })
}

/** What stands at a place. */
const answerAboutPlace = ({ answer }: FeaturesParts): void => {
  answer(HoverRequest.type, ({ document, part }, { position }) => {
    const found = service.hover(document, part.toWhole(position))
    return found === undefined ? null : toHover(found.markdown, part.toPart(found.range))
  })
  answer(SignatureHelpRequest.type, ({ document, part }, { position }) => {
    const found = service.signatureHelp(document, part.toWhole(position))
    return found === undefined ? null : toSignatureHelp(found)
  })
}

/** Where a name is defined and used, and what it is to be. */
const answerNames = ({ answer, readFile }: FeaturesParts): void => {
  answer(DefinitionRequest.type, ({ document, locate, part }, { position }) => {
    const found = service.definition(document, part.toWhole(position))
    const location = found === undefined ? undefined : (locate(found) ?? found)
    return location?.uri === undefined ? null : { uri: location.uri, range: toRange(location.range) }
  })
  answer(ReferencesRequest.type, async ({ inProject, inSlices, locate, part }, { context, position }) => {
    const document = await inProject()
    const found = document && (await inSlices(service.referencesSteps(document, part.toWhole(position))))
    const shown = found?.filter(({ isDefinition }) => context.includeDeclaration || !isDefinition)
    return shown && inSlices(locatingReferences(shown, locate))
  })
  answer(DocumentHighlightRequest.type, async ({ document, inSlices, part }, { position }) => {
    const found = await inSlices(service.referencesSteps(document, part.toWhole(position)))
    const here = found?.filter(({ uri }) => uri === undefined)
    return (
      here &&
      inPart(part, here).map(({ isDefinition, range }) => ({
        range: toRange(range),
        kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      }))
    )
  })
  answer(PrepareRenameRequest.type, ({ document, part }, { position }) => {
    const found = service.prepareRename(document, part.toWhole(position))
    if ("reason" in found) return refused(found)
    const range = part.toPart(found.range)
    return range === undefined ? null : { range: toRange(range), placeholder: found.name }
  })
  answer(RenameRequest.type, async ({ inProject, inSlices, locate, part }, { newName, position }) => {
    const document = await inProject()
    const found = document && (await inSlices(service.renameSteps(document, part.toWhole(position), newName)))
    if (document === undefined || found === undefined) return undefined
    if ("reason" in found) return refused(found)
    const names = service.snapshotNames(document, part.toWhole(position), newName, found)
    const kept = await renamedSnapshots(names, readFile, inSlices)
    if (kept === undefined) return undefined
    return "reason" in kept ? refused(kept) : inSlices(writingWorkspaceEdit([...found, ...kept], locate))
  })
}

/** The parts of a document. */
const answerStructure = ({ answer }: FeaturesParts): void => {
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
}

/** Colours, and values between the words. */
const answerShown = ({ answer, hints }: FeaturesParts): void => {
  answer(SemanticTokensRequest.type, (asked) => coloured(asked, asked.part.range))
  answer(SemanticTokensRangeRequest.type, (asked, { range }) => coloured(asked, inWhole(asked.part, range)))
  answer(InlayHintRequest.type, async ({ document, inSlices, part }, { range }) => {
    const found = await inSlices(service.inlayHintsSteps(document, inWhole(part, range)))
    return found
      ?.filter(({ kind }) => hints?.includes(kind) ?? true)
      .flatMap((hint) => {
        const place = part.toPart({ start: hint.position, end: hint.position })
        return place === undefined ? [] : [toInlayHint({ ...hint, position: place.start })]
      })
  })
}

const answerEdits = ({ answer }: FeaturesParts): void => {
  answer(DocumentFormattingRequest.type, (asked) => formatted(asked, asked.part.range))
  answer(DocumentRangeFormattingRequest.type, (asked, { range }) => formatted(asked, inWhole(asked.part, range)))
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

/** The same of results that are kept beside files; `undefined` when the question became stale. */
const renamedSnapshots = async (
  names: ReadonlyArray<service.SnapshotName>,
  readFile: FileHost["readFile"] | undefined,
  inSlices: AskedDocument["inSlices"],
): Promise<ReadonlyArray<service.FileChange> | service.Refusal | undefined> => {
  const changes: Array<service.FileChange> = []
  for (const name of names) {
    const text = await readFile?.(name.uri)
    if (text === undefined) continue
    if (typeof text !== "string") {
      return { reason: `${fileName(name.uri)}, which may keep the result of "${name.name}", ${text.problem}` }
    }
    const found = await inSlices(finding(service.renamingSnapshot(text, name)))
    if (found === undefined) return undefined
    if (found.change === undefined) continue
    if ("reason" in found.change) return found.change
    changes.push(found.change)
  }
  return changes
}

/** What became stale is `undefined` too. */
function* finding<Change>(steps: Steps<Change>): Steps<{ readonly change: Change }> {
  return { change: yield* steps }
}

const coloured = async ({ document, inSlices, part }: AskedDocument, range: service.TextRange) => {
  const data = await inSlices(service.semanticTokensSteps(document, range))
  return data && { data: toTokenData(data, part) }
}

const formatted = async ({ document, inSlices, part }: AskedDocument, range: service.TextRange) => {
  const changes = await inSlices(service.rangeFormattingSteps(document, range))
  return changes && toEdits(inPart(part, changes))
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
const leadsToFile = ({ lines }: service.AnalysedText, position: Position): boolean => {
  const start = lines.starts[position.line] ?? 0
  return /^[ \t]*(#|\/\/)[ \t]*@(?:import|each)[ \t]/.test(lines.text.slice(start, start + position.character))
}

/** `refactor` asks for `refactor.rewrite` too. */
const isOfKind = (kind: string, wanted: string): boolean => kind === wanted || kind.startsWith(`${wanted}.`)

const refused = ({ reason }: service.Refusal) =>
  new ResponseError<void>(LSPErrorCodes.RequestFailed, Visible.line(reason))
