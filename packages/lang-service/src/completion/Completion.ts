/** One offer at the cursor. */
import type { Span } from "@dotrpc/lang"
import type { TextChange } from "../TextRange.ts"

/** What a suggestion stands for. */
export type CompletionKind =
  | "method"
  | "example"
  | "key"
  | "value"
  | "variable"
  | "request"
  | "function"
  | "member"
  | "directive"
  | "network"
  | "environment"
  | "secret"
  | "keyword"

/** One suggestion. */
export interface Completion {
  readonly label: string
  readonly kind: CompletionKind
  /** One line: a price, a value, a signature. */
  readonly detail?: string | undefined
  /** Markdown. */
  readonly documentation?: string | undefined
  /** What has been typed is compared with this. */
  readonly filter: string
  /** What accepting it writes. The range is on one line and ends at or behind the cursor. */
  readonly change: TextChange
  /** The same text with places to fill in: `[{ $1 }]`, for editors that can. */
  readonly snippet?: string | undefined
  /** Whether there are more suggestions where accepting it leaves the cursor, so that an editor may ask again at once. */
  readonly leadsOn?: true | undefined
}

/** A completion before its place is counted in lines. */
export interface Offer extends Omit<Completion, "change" | "filter"> {
  readonly filter?: string | undefined
  readonly insert: string
  readonly replace: Span
}
