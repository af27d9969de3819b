/** Which methods of a document are imported: by their names, or by how their names begin. */
import { nearest } from "@dotrpc/spec"

/** Names, and beginnings of names with a `*` after them: `eth_getBalance`, `debug_*`. */
export interface Selection {
  /** All methods when it is empty. */
  readonly only: ReadonlyArray<string>
  /** Wins over `only`. */
  readonly except: ReadonlyArray<string>
}

export const everyMethod: Selection = { only: [], except: [] }

export const isSelected = ({ except, only }: Selection, name: string): boolean =>
  (only.length === 0 || only.some((pattern) => matches(pattern, name))) &&
  !except.some((pattern) => matches(pattern, name))

/** What is wrong with a selection from these names, in words; `undefined` when nothing is. */
export const selectionProblem = ({ except, only }: Selection, names: ReadonlyArray<string>): string | undefined => {
  for (const [flag, patterns] of [
    ["--only", only],
    ["--except", except],
  ] as const)
    for (const pattern of patterns) {
      if (names.some((name) => matches(pattern, name))) continue
      const meant = nearest(pattern, names)
      return `${flag} ${JSON.stringify(pattern)} is not the name of a method here, nor the beginning of one with a * after it${meant === undefined ? "" : `; did you mean ${meant}?`}`
    }
  return names.some((name) => isSelected({ except, only }, name))
    ? undefined
    : "--only and --except together leave no method"
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern
