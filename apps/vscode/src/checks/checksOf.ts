/** The checks of a text, found by reading it: nothing is run. */
import { atOnce, type Steps } from "@dotrpc/analysis"
import type { SectionNode } from "@dotrpc/lang"
import { positionAt } from "@dotrpc/lang/locate"
import { type EditorText, parsingSections } from "@dotrpc/session"

/** A request that something is expected of. */
export interface CheckedRequest {
  /** Position among the requests of the text. */
  readonly index: number
  readonly label: string
  /** Lines from zero. */
  readonly line: number
  /** By `# @skip`, or because others are marked `# @only`: it runs only when it is chosen itself. */
  readonly isLeftOut: boolean
  readonly checks: ReadonlyArray<FoundCheck>
}

export interface FoundCheck {
  /** The expression as it is written. */
  readonly text: string
  readonly line: number
  readonly character: number
  readonly endCharacter: number
}

export interface ListedChecks {
  readonly requests: ReadonlyArray<CheckedRequest>
  /** Why some are missing, in words for the user. */
  readonly notice?: string | undefined
}

/** As many lines as the editor lists in a moment; each request is one, and each of its checks. */
const mostListed = 2_000

/** The first requests of a text with their checks, those of a request all or none. */
export const listedChecks = (requests: ReadonlyArray<CheckedRequest>): ListedChecks => {
  let lines = 0
  const first = requests.findIndex(({ checks }) => (lines += 1 + checks.length) > mostListed)
  if (first < 0) return { requests }
  const shown = requests.slice(0, first)
  const count = (requests.length - first).toLocaleString("en")
  return {
    requests: shown,
    notice: `${count} more requests with checks are not listed here: use "dotrpc run" in a terminal.`,
  }
}

/** None in a text that is refused. */
export const checksOf = (text: EditorText): ReadonlyArray<CheckedRequest> => atOnce(findingChecks(text))

/** As {@link checksOf}, in steps of one section each. */
export function* findingChecks({ lines, parsed }: EditorText): Steps<ReadonlyArray<CheckedRequest>> {
  yield* parsingSections(parsed)
  const sections = parsed.tree.sections.filter(({ call }) => call !== undefined)
  const hasOnly = sections.some((section) => has(section, "only"))
  const found: Array<CheckedRequest> = []
  for (const [index, section] of sections.entries()) {
    yield
    if (section.checks.length === 0) continue
    const name = section.directives.find((directive) => directive.name.text === "name")?.value.text ?? ""
    const label = [name, section.title.text, section.call?.method.text ?? ""].find((word) => word !== "") ?? ""
    const checks = section.checks.map((check) => {
      const [start, end] = [positionAt(lines, check.start), positionAt(lines, check.end)]
      return { text: check.text, line: start.line, character: start.character, endCharacter: end.character }
    })
    const isLeftOut = has(section, "skip") || (hasOnly && !has(section, "only"))
    found.push({ index, label, line: positionAt(lines, section.start).line, isLeftOut, checks })
  }
  return found
}

const has = ({ directives }: SectionNode, directive: string): boolean =>
  directives.some(({ name }) => name.text === directive)
