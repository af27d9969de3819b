/** What a text is parsed into. */
import type { Diagnostic } from "./Diagnostic.ts"
import type { FileNode } from "./Syntax.ts"

/** The tree of a text, and the problems found while reading it. */
export interface ParseResult {
  readonly tree: FileNode
  /** In the order of their start. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
}
