/** What the directives of a request say: a section's own, over those of the prelude. */
import { type Diagnostic, type DirectiveNode, parseDuration, type PreludeNode, type SectionNode } from "@dotrpc/lang"
import { problem } from "./Problem.ts"

export interface Settings {
  /** Credits this request may spend at most. */
  readonly budget?: number
  /** Milliseconds to wait for one reply. */
  readonly timeout?: number
  /** How often a failed attempt is repeated at most. */
  readonly retry?: number
  /** Read every page. */
  readonly all: boolean
  /** With `all`: stop once this many items are there. */
  readonly limit?: number
  readonly skip: boolean
  readonly only: boolean
  readonly tags: ReadonlyArray<string>
  readonly network?: DirectiveNode
  /** Requests to run first although nothing refers to their results. */
  readonly refs: ReadonlyArray<DirectiveNode>
}

/** Directives the language knows and this version cannot honour: ignoring them silently would mislead. */
const notYet = new Map([
  ["transport", "requests go over HTTP in this version"],
  ["abi", "logs are not decoded by ABI in this version"],
  ["import", "names of other files cannot be used in this version"],
  ["env", "choose the environment with --env, or in the editor's status bar"],
])

export const readSettings = (
  prelude: PreludeNode,
  section: SectionNode,
): { readonly settings: Settings; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const own = (name: string) => section.directives.findLast((directive) => directive.name.text === name)
  const either = (name: string) => own(name) ?? prelude.directives.findLast((directive) => directive.name.text === name)
  const diagnostics: Array<Diagnostic> = []
  const read = <Value>(
    directive: DirectiveNode | undefined,
    parse: (text: string) => Value | undefined,
    expected: string,
  ): Value | undefined => {
    if (directive === undefined) return undefined
    const value = parse(directive.value.text)
    if (value === undefined) {
      diagnostics.push(
        problem("A302", directive, `@${directive.name.text} needs ${expected}, found "${directive.value.text}"`),
      )
    }
    return value
  }
  const budget = read(either("budget"), wholeNumber, "a whole number of credits")
  const timeout = read(either("timeout"), parseDuration, "a duration such as 500ms, 2s or 1m")
  const retry = read(either("retry"), wholeNumber, "how often to try again, a whole number")
  const limit = read(either("limit"), wholeNumber, "a whole number")
  const network = either("network")
  return {
    settings: {
      all: own("all") !== undefined,
      skip: own("skip") !== undefined,
      only: own("only") !== undefined,
      tags: [...prelude.directives, ...section.directives]
        .filter((directive) => directive.name.text === "tag")
        .flatMap((directive) => directive.value.text.split(/[\s,]+/).filter((tag) => tag !== "")),
      refs: section.directives.filter((directive) => directive.name.text === "ref"),
      ...(budget === undefined ? {} : { budget }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(retry === undefined ? {} : { retry }),
      ...(limit === undefined ? {} : { limit }),
      ...(network === undefined ? {} : { network }),
    },
    diagnostics,
  }
}

/** Directives that have no effect in this version, each with what to do instead. */
export const unavailableDirectives = (directives: ReadonlyArray<DirectiveNode>): ReadonlyArray<Diagnostic> =>
  directives.flatMap((directive) => {
    const why = notYet.get(directive.name.text)
    if (why === undefined) return []
    if (directive.name.text === "transport" && directive.value.text === "http") return []
    const span = { start: directive.start, end: directive.end }
    return [
      { code: "A301", severity: "warning" as const, message: `@${directive.name.text} has no effect: ${why}`, ...span },
    ]
  })

const wholeNumber = (text: string): number | undefined => {
  const value = /^\d+$/.test(text) ? Number(text) : undefined
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}
