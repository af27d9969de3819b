/** The line `# @each …` of a section: a file of rows, or what a name leads to. */
import type { DirectiveNode, ExprNode, FileNode, SectionNode } from "@dotrpc/lang"

/** Its line, where it has a value. */
export const rowsDirective = ({ directives }: Pick<SectionNode, "directives">): DirectiveNode | undefined =>
  directives.findLast(({ name, value }) => name.text === "each" && value.text !== "")

/** The paths of the files of rows in a file, as they are written, without those that may not be sent. */
export const rowsPaths = ({ sections, tokens }: FileNode): ReadonlyArray<string> => {
  // Asked on every key, of files that mostly have none.
  if (!tokens.text.includes("@each")) return []
  const values = sections.flatMap((section) => rowsDirective(section)?.value.text ?? [])
  return [...new Set(values.filter((value) => isRowsPath(value) && rowsObstacle(value) === undefined))]
}

/** Why the rows of a file are not sent anywhere; `undefined` when they may be. A repository from elsewhere must not send files of its reader. */
export const rowsObstacle = (path: string): string | undefined => {
  const steps = path.split(/[\\/]/)
  if (steps[0] === "" || steps.includes("..") || /^[a-z]:/i.test(path))
    return "is outside the folder of this file: copy it there, as its rows are sent"
  return steps.some((step) => step.startsWith(".") && step !== ".")
    ? "is a hidden file, which may contain keys; give it another name, as its rows are sent"
    : undefined
}

/** Whether a value is the path of a file, and not a name such as `holders.result`. */
export const isRowsPath = (text: string): boolean => fileEnding.test(text) || !namePath.test(text)

/** What a name in the directive leads to, as an expression at its place in the text; `undefined` for a file. */
export const rowsExpression = ({ value: { start, text } }: DirectiveNode): ExprNode | undefined => {
  if (isRowsPath(text)) return undefined
  let expr: ExprNode | undefined
  for (const { 0: part, index } of text.matchAll(step)) {
    const end = start + index + part.length
    const word = { start: end - part.replace(".", "").length, end, text: part.replace(".", "") }
    if (expr === undefined) expr = { kind: "Name", start, end, name: part }
    else if (part.startsWith("["))
      expr = {
        kind: "Index",
        start,
        end,
        object: expr,
        index: { kind: "Literal", type: "number", start: word.start + 1, end: end - 1, text: part.slice(1, -1) },
      }
    else expr = { kind: "Member", start, end, object: expr, property: word }
  }
  return expr
}

/** In words, what {@link isRowsPath} knows a file by. */
export const rowsEndings = ".csv, .tsv, .txt, .ndjson, .jsonl or .json"

const fileEnding = /\.(?:csv|tsv|txt|ndjson|jsonl|json)$/i

const namePath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d{1,9}\])*$/

const step = /\.?[A-Za-z_]\w*|\[\d{1,9}\]/g
