/** A problem of a text: what is wrong, where, and how to fix it. */
import type { Span } from "./Syntax.ts"

/** How bad a problem is: an error prevents sending, a warning or an information does not. */
export type Severity = "error" | "warning" | "info"

/** A replacement of the text from `start` to `end` by `text`. */
export interface TextEdit extends Span {
  readonly text: string
}

/** A repair that an editor can offer. Edits do not overlap and are in order. */
export interface Fix {
  readonly title: string
  readonly edits: ReadonlyArray<TextEdit>
}

/** A finding. `message` says what was expected and what to do; `code` never changes its meaning. */
export interface Diagnostic extends Span {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly fix?: Fix | undefined
}

/** Every code that a diagnostic can have. */
export type DiagnosticCode =
  | "L001"
  | "L002"
  | "L003"
  | "L101"
  | "L102"
  | "L103"
  | "L104"
  | "L105"
  | "L106"
  | "L201"
  | "L202"
  | "L203"
  | "L204"
  | "L205"
  | "L206"
  | "L207"
  | "L301"
  | "L302"
  | "L303"
  | "L304"
  | "L305"
  | "L306"
  | "L307"
  | "L308"
  | "L309"
  | "L310"
  | "L311"
  | "L312"
  | "L313"
  | "L314"
  | "L315"
  | "L316"
  | "L317"
  | "L318"
  | "L319"
  | "L320"
  | "L321"
  | "L401"
  | "L402"
  | "L403"
  | "L404"
  | "L405"
  | "L406"
  | "L407"
  | "L408"
  | "L409"
  | "L410"
  | "L411"

/** The severity of a code; of the same codes as in the table of `Docs.ts`. */
export function severityOf(code: DiagnosticCode): Severity {
  return /L106|L201|L317/.test(code) ? "warning" : "error"
}

/** Whether a diagnostic says that the text breaks the grammar, as opposed to its meaning. */
export function isSyntaxError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error" && /^L(?![12])/.test(diagnostic.code)
}

/** The order of diagnostics. */
export function byPlace(left: Diagnostic, right: Diagnostic): number {
  return left.start - right.start || left.end - right.end
}
