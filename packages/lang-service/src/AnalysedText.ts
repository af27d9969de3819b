/** A document as every feature sees it: what it means, where its lines are, and what the editor knows beside it. */
import type { Analysis, BoundRequest, LikelyPrice, NamedResults } from "@dotrpc/analysis"
import type { LineIndex } from "@dotrpc/lang/locate"
import type { PriceSheet } from "@dotrpc/spec"

/** A text with its analysis, as every feature takes it. */
export interface AnalysedText {
  readonly analysis: Analysis
  /** Of the text that was analysed. */
  readonly lines: LineIndex
  /** Outcomes of the last run by request name; what is missing has not run. */
  readonly results?: NamedResults | undefined
  readonly known?: KnownNames | undefined
  /** Other files of the project, for what is done to a name in all of them. */
  readonly others?: ReadonlyArray<Analysis> | undefined
  /** Price sheets that a hover compares with that of the network. */
  readonly compared?: ReadonlyArray<PriceSheet.PriceSheet> | undefined
  /** What a request that reads a range is likely to cost, as far as earlier scans say. */
  readonly likelyOf?: ((request: BoundRequest) => LikelyPrice | undefined) | undefined
  /** Milliseconds since 1970, for times such as `7 days ago`; by the clock of the machine if omitted. */
  readonly now?: number | undefined
}

/** Names that no file has to mention before they can be offered. Never their values. */
export interface KnownNames {
  readonly secrets?: ReadonlyArray<string> | undefined
  readonly env?: ReadonlyArray<string> | undefined
  /** Environments of `rpc.config.json`. */
  readonly environments?: ReadonlyArray<string> | undefined
  /** Paths of files that could be imported, as an import writes them. */
  readonly files?: ReadonlyArray<string> | undefined
  /** Paths of files of rows, as `# @each` writes them. */
  readonly rowFiles?: ReadonlyArray<string> | undefined
}

/** The outcomes of a document that has not run. */
export const noResults: NamedResults = new Map()
