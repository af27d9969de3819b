/** What DuckDB says about a query, in the words of this command: it knows nothing about views of files. */
import { identifier } from "./DuckDb.ts"
import type { Source } from "./sources.ts"

export const queryProblem = (message: string, sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const lines = message
    .replace(/^Failed to extract statements: /, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
  const [first = "", ...more] = lines
  const table = /^Catalog Error: Table with name (.+) does not exist!$/.exec(first)?.[1]
  if (table !== undefined) {
    const names = [...sources.map(({ name }) => inSql(name)), ...(sources.length === 1 ? ["data"] : [])]
    return [`no file is called "${table}"; expected one of ${names.join(", ")}`, ...placeOf(more)]
  }
  const path = /^Permission Error: Cannot access file "(.+?)"/.exec(first)?.[1]
  if (path !== undefined)
    return [`a query reads only the files that are named after it: name ${path} there`, ...placeOf(more)]
  return lines
}

/** A name as a query has it: in quotes where it has other characters than those of a word. */
const inSql = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : identifier(name))

/** The line of the query, and the mark below it; what DuckDB suggests before names tables of its own. */
const placeOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = lines.findIndex((line) => line.startsWith("LINE "))
  return at === -1 ? [] : lines.slice(at)
}
