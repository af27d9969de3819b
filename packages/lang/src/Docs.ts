/**
 * Summaries of diagnostic codes and directives, for documents and menus; separate, so that parsing does not load them.
 */
import type { DiagnosticCode, Severity } from "./Diagnostic.ts"

export type { DiagnosticCode, Severity } from "./Diagnostic.ts"

/** What a code stands for. */
export interface CodeEntry {
  readonly severity: Severity
  /** The finding, as a noun phrase. */
  readonly summary: string
}

/** Every code with its severity. Codes from L100 to L299 are about meaning; all others are errors of syntax. */
export const diagnosticCodes: Readonly<Record<DiagnosticCode, CodeEntry>> = {
  L001: { severity: "error", summary: "a line that is not a comment, directive, variable, call or check" },
  L002: { severity: "error", summary: "text after the end of a call or a variable" },
  L003: { severity: "error", summary: "params nested more than 500 deep" },
  L101: { severity: "error", summary: "a second call in one section" },
  L102: { severity: "error", summary: "checks in a section without a call" },
  L103: { severity: "error", summary: "a call before the first section" },
  L104: { severity: "error", summary: "a check before the first section" },
  L105: { severity: "error", summary: "two sections of a file with the same name" },
  L106: { severity: "warning", summary: "an indented ###, which is only a comment" },
  L201: { severity: "warning", summary: "an unknown directive" },
  L202: { severity: "error", summary: "a directive without its value" },
  L203: { severity: "error", summary: "a directive with a value of the wrong shape" },
  L204: { severity: "error", summary: "a value for a directive that takes none" },
  L205: { severity: "error", summary: "a directive given twice in one section" },
  L206: { severity: "error", summary: "a directive in the wrong place" },
  L207: { severity: "error", summary: "a misspelt directive" },
  L301: { severity: "error", summary: "an @ without the name of a variable" },
  L302: { severity: "error", summary: "a variable without =" },
  L303: { severity: "error", summary: "a missing value" },
  L304: { severity: "error", summary: "a bracket that is never closed" },
  L305: { severity: "error", summary: "a string that is not closed on its line" },
  L306: { severity: "error", summary: "an unknown escape in a string" },
  L307: { severity: "error", summary: "a control character in a string" },
  L308: { severity: "error", summary: "a malformed number" },
  L309: { severity: "error", summary: "a hex literal where JSON is expected" },
  L310: { severity: "error", summary: "a word where JSON is expected" },
  L311: { severity: "error", summary: "a key without quotes" },
  L312: { severity: "error", summary: "something other than a key in an object" },
  L313: { severity: "error", summary: "a key without a colon" },
  L314: { severity: "error", summary: "a missing comma" },
  L315: { severity: "error", summary: "a comma without a value before it" },
  L316: { severity: "error", summary: "a string in single or curly quotes" },
  L317: { severity: "warning", summary: "a key given twice in one object" },
  L318: { severity: "error", summary: "params that are neither an array nor an object" },
  L319: { severity: "error", summary: "a block comment that is never closed" },
  L320: { severity: "error", summary: "a closing bracket that closes nothing" },
  L321: { severity: "error", summary: "characters that are not a value" },
  L401: { severity: "error", summary: "a missing expression" },
  L402: { severity: "error", summary: "a {{ without its }}" },
  L403: { severity: "error", summary: "a bracket in an expression that is never closed" },
  L404: { severity: "error", summary: "text after the end of an expression" },
  L405: { severity: "error", summary: "an operator of another language" },
  L406: { severity: "error", summary: "a chain of comparisons" },
  L407: { severity: "error", summary: "a $ name other than $env.NAME and $secret.NAME" },
  L408: { severity: "error", summary: "a call of something that is not a function name" },
  L409: { severity: "error", summary: "an expression of more than 500 parts" },
  L410: { severity: "error", summary: "a dot without a property name" },
  L411: { severity: "error", summary: "a template in a string inside an expression" },
}

/** What each directive says, on one line; by its name. */
export const directiveSummaries: Readonly<Record<string, string>> = {
  name: "The name by which other requests refer to this one",
  network: "The network to send to",
  compare: "Another network to make the same call on; both results must be equal",
  ignore: "A part of the result that is not compared",
  env: "The environment to take variables from",
  budget: "The most credits that this may spend",
  timeout: "How long to wait for an answer: 500ms, 2s, 1m",
  retry: "How many more times to try after a failure",
  all: "Read all of it: every page, or the whole range of blocks",
  limit: "The most items to collect from all pages, or events of a subscription",
  for: "How long to listen to a subscription: 30s, 10m, 1h",
  transport: "How to send: http or ws",
  multicall: "Whether calls that read the same block, or parts of it, become one call: on or off",
  unchecked: "Send a method that no plugin knows, at an assumed price; of a known one check neither params nor result",
  each: "A file of rows, or the result of a named request: one call for each row, with {{row.column}}",
  abi: "A function, event or error, or an ABI file, to call and decode by",
  units: "The token whose decimals and symbol are used to show amounts",
  ref: "A named request to run first",
  skip: "Do not run this; the value is the reason",
  only: "Run only this and others with @only",
  tag: "Words to select requests by",
  import: "A file whose names can be used here",
}
