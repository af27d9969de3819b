/** The checks of a text, found by reading it: nothing is run. */
import { positionAt } from "@dotrpc/lang/locate"
import type { EditorText } from "@dotrpc/language-server"

/** A request that something is expected of. */
export interface CheckedRequest {
  /** Position among the requests of the text. */
  readonly index: number
  readonly label: string
  /** Lines from zero. */
  readonly line: number
  readonly checks: ReadonlyArray<FoundCheck>
}

export interface FoundCheck {
  /** The expression as it is written. */
  readonly text: string
  readonly line: number
  readonly character: number
  readonly endCharacter: number
}

/** None in a text that is refused. */
export const checksOf = ({ lines, parsed }: EditorText): ReadonlyArray<CheckedRequest> => {
  const sections = parsed.tree.sections.filter(({ call }) => call !== undefined)
  return sections.flatMap((section, index) => {
    if (section.checks.length === 0) return []
    const name = section.directives.find((directive) => directive.name.text === "name")?.value.text ?? ""
    const label = [name, section.title.text, section.call?.method.text ?? ""].find((word) => word !== "") ?? ""
    const checks = section.checks.map((check) => {
      const [start, end] = [positionAt(lines, check.start), positionAt(lines, check.end)]
      return { text: check.text, line: start.line, character: start.character, endCharacter: end.character }
    })
    return [{ index, label, line: positionAt(lines, section.start).line, checks }]
  })
}
