/**
 * The check `?? snapshot`, which compares the result with the one that is kept beside the file. What differs from run to run is
 * left out by its path: `?? snapshot("result[*].timestamp")`.
 */
import type { CheckNode, Diagnostic, ExprNode } from "@dotrpc/lang"
import { problem } from "./Problem.ts"

/** A part of a result: a member by its name, an item by its position, or `"*"` for all of them. */
export type SnapshotPath = ReadonlyArray<string | number>

/** What a check `?? snapshot` says. */
export interface SnapshotCheck {
  /** Parts of the result that are not compared. */
  readonly ignored: ReadonlyArray<SnapshotPath>
}

/** What `snapshot` means, in one line. */
export const snapshotSummary =
  "The result equals the one in FILE.rpc.snap; the first run writes it there, and dotrpc run --update writes it again"

/** What a check says of a snapshot; `undefined` for any other check. Paths that are not paths are left out. */
export const snapshotCheck = ({ expr }: Pick<CheckNode, "expr">): SnapshotCheck | undefined => {
  if (expr.kind === "Name" && expr.name === snapshot) return { ignored: [] }
  if (expr.kind !== "Function" || expr.name.text !== snapshot) return undefined
  return { ignored: expr.args.flatMap((argument) => pathOf(argument) ?? []) }
}

/** What is wrong with the checks of snapshots in a section. */
export const snapshotProblems = (checks: ReadonlyArray<CheckNode>): ReadonlyArray<Diagnostic> => {
  const found = checks.filter((check) => snapshotCheck(check) !== undefined)
  return [
    ...found
      .slice(1)
      .map(({ expr }) => problem("A316", expr, "a request has one snapshot: put all paths into one check")),
    ...found.flatMap(({ expr }) =>
      (expr.kind === "Function" ? expr.args : [])
        .filter((argument) => pathOf(argument) === undefined)
        .map((argument) => problem("A316", argument, 'expected a path to leave out, such as "result[*].timestamp"')),
    ),
  ]
}

const snapshot = "snapshot"

const pathOf = (argument: ExprNode): [SnapshotPath] | undefined => {
  if (argument.kind !== "Literal" || argument.type !== "string") return undefined
  const path = readSnapshotPath(argument.value)
  return path === undefined ? undefined : [path]
}

/** `result[*].topics[0]` as `["*", "topics", 0]`; `undefined` for a text that is not the path of a part of a result. */
export const readSnapshotPath = (text: string): SnapshotPath | undefined => {
  if (!text.startsWith("result")) return undefined
  const step = /\.([A-Za-z_$][\w$-]*|\*)|\[(?:(\d{1,9})|(\*))\]/y
  const path: Array<string | number> = []
  let at = "result".length
  while (at < text.length) {
    step.lastIndex = at
    const found = step.exec(text)
    if (found === null) return undefined
    path.push(found[2] === undefined ? (found[1] ?? "*") : Number(found[2]))
    at = step.lastIndex
  }
  return path.length === 0 ? undefined : path
}
