/** The rules for a rendered result. */
import { Json, type Method } from "@dotrpc/spec"
import { expect, never } from "./expect.ts"
import { show } from "./show.ts"

/** Row limits of the front ends: none, one, and more than there are. */
const limits = [0, 1, 1_000]

/** Draws a result that the method accepts: never more rows than asked for, each with a cell for every column, in their order. */
export const checkRender = (method: Method, result: Json.Json): void => {
  for (const limit of limits) {
    const table = never(`render(${show(result)}, ${limit})`, () => method.render(result, limit))
    expect(table.rows.length <= limit, `render returned ${table.rows.length} rows for a limit of ${limit}`)
    expect(Number.isInteger(table.total) && table.total >= table.rows.length, `render counted ${table.total} in all`)
    const ranks = table.columns.map(({ rank = 0 }) => rank)
    const misplaced = ranks.findIndex((rank, index) => rank < (ranks[index - 1] ?? rank))
    expect(misplaced < 0, `column ${misplaced + 1} comes after one of a higher rank`)
    for (const row of table.rows)
      expect(row.length === table.columns.length, `a row has ${row.length} cells for ${table.columns.length} columns`)
  }
  checkWhole(method, result)
}

/** Rows are filtered, copied and saved by their whole values: what a person pays for is not shortened there. */
const checkWhole = (method: Method, result: Json.Json): void => {
  if (Json.stringify(result).includes(ellipsis)) return
  const { rows } = method.render(result, limits.at(-1) ?? 0, { whole: true })
  const shortened = rows.flat().find((cell) => cell.includes(ellipsis))
  expect(shortened === undefined, `render leaves a part of a value out although \`whole\` is asked for: ${shortened}`)
}

const ellipsis = "…"
