/** The diagnostics of meaning, beside the parser's own of syntax. A code is stable and never reused. */
import type { Diagnostic, Fix, Span } from "@dotrpc/lang"

/** Every code of a problem in a project, with its short title. */
export const problemCodes = {
  A101: "unknown method",
  A102: "method and network belong to different plugins",
  A103: "unknown network",
  A104: "the network cannot be used yet",
  A105: "the params do not fit the method",
  A106: "no network answers the method",
  A107: "unknown environment",
  A201: "unknown name",
  A202: "requests refer to each other in a cycle",
  A204: "a function that is unknown or refuses its arguments",
  A205: "a member that does not exist",
  A206: "an environment variable that is not set",
  A207: "a secret that is not set",
  A208: "an operator on values it does not accept",
  A209: "a member that is deprecated",
  A210: "a member that the result is unlikely to have",
  A211: "a value that is too large",
  A303: "the network cannot be reached as a directive says",
  A304: "an ABI that cannot be read",
  A305: "an ABI that decodes nothing",
  A306: "@all on a method that has no pages and no range of blocks",
  A307: "a check that compares nothing",
  A308: "a file in a folder of ABIs that is not an ABI",
  A309: "a budget that is too low",
  A310: "a comparison whose outcome is known before the call",
  A311: "an address whose checksum is wrong",
  A312: "a method that the network does not have",
  A313: "`@units` without the address of a token",
  A314: "`@units` without amounts to show",
  A315: "a member of the params that the method does not name",
  A316: "a snapshot that cannot be compared",
  A320: "a subscription without an end, or `@for` without a subscription",
  A330: "a call that cannot be compared",
  A340: "rows that cannot be read",
  A341: "a row that cannot be sent",
  A342: "`@each` together with `@all` or `@compare`",
  A401: "an import of a file that cannot be read",
  A402: "files that import each other in a cycle",
  A403: "a name that hides another one",
  A404: "a name of another file that has a problem there",
  A501: "a secret in the text of the file",
  A502: "a plugin that was not loaded because it is not trusted",
  A503: "a secret that would go to a host it does not belong to",
  A504: "a character that changes the direction of the text",
} as const

/** The code of a problem; a code never changes its meaning. */
export type ProblemCode = keyof typeof problemCodes

/** Makes an error that forbids sending what it is about. */
export const problem = (code: ProblemCode, span: Span, message: string, fix?: Fix): Diagnostic => ({
  code,
  severity: "error",
  message,
  start: span.start,
  end: span.end,
  fix,
})

/** Makes a warning: what it is about is sent all the same. */
export const warning = (code: ProblemCode, span: Span, message: string): Diagnostic => ({
  ...problem(code, span, message),
  severity: "warning",
})

/** A fix that replaces the text of a span. */
export const replacement = (title: string, span: Span, text: string): Fix => ({
  title,
  edits: [{ start: span.start, end: span.end, text }],
})
