/** A change to the file that a person can choose. */
import type { Span } from "@dotrpc/lang"
import type { TextChange } from "../TextRange.ts"

/** A change that the editor offers. */
export interface CodeAction {
  readonly title: string
  /** `quickfix` repairs something; `refactor` says the same in another way. */
  readonly kind: "quickfix" | "refactor"
  /** The code of the diagnostic that it repairs. */
  readonly code?: string | undefined
  readonly changes: ReadonlyArray<TextChange>
}

/** An action before its places are counted in lines. */
export interface Proposal extends Omit<CodeAction, "changes"> {
  readonly edits: ReadonlyArray<Span & { readonly text: string }>
}
