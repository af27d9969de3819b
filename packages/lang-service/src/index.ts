/** Editor features of the .rpc language: plain data in and out, from memory, never from the network. */
export { codeActions } from "./codeActions.ts"
export type { CodeAction } from "./codeActions/CodeAction.ts"
export { completion } from "./completion.ts"
export { mostNames } from "./completion/expressions.ts"
export type { Completion, CompletionKind } from "./completion/Completion.ts"
export type {
  ConversionProblem,
  ConvertedUrl,
  ConvertedCall,
  Converted,
  ConvertedSection,
  ReadMentioned,
} from "./convert/Converted.ts"
export { readCast } from "./convert/cast.ts"
export { readCurl } from "./convert/curl.ts"
export { readHttp } from "./convert/http.ts"
export { readIo } from "./convert/io.ts"
export { readPostman } from "./convert/postman.ts"
export {
  type ConfiguredNetwork,
  type Family,
  type WrittenNetwork,
  type WrittenRequests,
  writeRequests,
} from "./convert/write.ts"
export { type ClickPrice, clickPrice, type RunBefore } from "./clickPrice.ts"
export { definition, type Location, type Reference, references, referencesSteps } from "./definition.ts"
export { diagnostics, type EditorDiagnostic } from "./diagnostics.ts"
export type { AnalysedText, KnownNames } from "./AnalysedText.ts"
export { type DocumentLink, documentLinks } from "./documentLinks.ts"
export type { ExportedCall, LeftOutCall } from "./export/ExportedCall.ts"
export { curlCommand } from "./export/curl.ts"
export { type ExportedFile, exportFile, type ExportFormat } from "./export/exportFile.ts"
export { type EndpointOf, exportRequests } from "./export/exportRequests.ts"
export { methodObstacle } from "./export/methodObstacle.ts"
export { secretPlaceholder, shownPlaceholders, variablePlaceholder } from "./export/template.ts"
export { type Fold, folding } from "./folding.ts"
export { formatting, rangeFormatting, rangeFormattingSteps } from "./formatting.ts"
export { type Hover, hover } from "./hover.ts"
export { type InlayHint, inlayHints, inlayHintsSteps } from "./inlayHints.ts"
export { type LensOptions, lenses, replayedWords, type RequestLens } from "./lenses.ts"
export { assemble, type Assembled, type NotebookCellText } from "./notebook/assemble.ts"
export { type CellKind, cellSourceIn, type CellSource, cellsOf, type FileCell, readingCells } from "./notebook/cells.ts"
export { splitCell, type SplitCell } from "./notebook/splitCell.ts"
export { onTypeFormatting, onTypeTriggers } from "./onTypeFormatting.ts"
export { type FileChange, prepareRename, type Refusal, rename, renameSteps } from "./rename.ts"
export { selectionRanges } from "./selectionRanges.ts"
export { semanticTokenLegend, semanticTokens, semanticTokensSteps } from "./semanticTokens.ts"
export { type Signature, signatureHelp } from "./signatureHelp.ts"
export { renamingSnapshot, type SnapshotName, snapshotNames } from "./snapshotNames.ts"
export { type DocumentSymbol, symbols } from "./symbols.ts"
export { type TextPart, textPart } from "./TextPart.ts"
export { rangeOf, type TextChange, type TextRange } from "./TextRange.ts"
