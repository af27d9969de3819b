/**
 * Checks about all rows of a request with `# @each`, in steps: what `every`, `some`, `count` and `sum` return is found row by
 * row, so that an editor keeps answering while it checks thousands.
 */
import type { CheckNode, ExprNode } from "@dotrpc/lang"
import type { Json } from "@dotrpc/spec"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { checkScope, type NamedResults } from "./Binding.ts"
import { type Evaluated, evaluate, pending, type Scope, type Work } from "./Evaluate.ts"
import { measuring } from "./internal/size.ts"
import { mostWork } from "./internal/scope.ts"
import { overRows, type RowScope } from "./RowFunctions.ts"
import type { Steps } from "./Steps.ts"

/** How the request of a row ended. */
export interface RowOutcome {
  readonly request: BoundRequest
  readonly own: Readonly<Record<string, Json.Json>>
}

/**
 * Where the names of a check about all rows lead. Its functions over rows have been evaluated in it, as far as evaluating the
 * check asks for them: of `some(a) || every(b)` where `some(a)` is true, the second is not.
 *
 * Limit: the values of all rows together, see {@link Work}.
 */
export function* rowsCheckScope(
  analysis: Analysis,
  request: BoundRequest,
  { expr }: Pick<CheckNode, "expr">,
  own: Readonly<Record<string, Json.Json>>,
  results: NamedResults,
  rows: ReadonlyArray<RowOutcome>,
): Steps<Scope> {
  const found = new Map<ExprNode, Evaluated>()
  const asked: Array<readonly [name: string, argument: ExprNode]> = []
  const scope = checkScope(analysis, request, own, results, {
    overRows: (name, [argument]) => {
      if (argument === undefined) return undefined
      const value = found.get(argument)
      if (value === undefined) asked.push([name, argument])
      return value ?? pending
    },
  })
  const work: Work = { done: 0, limit: mostWork }
  // A comparison measures what it compares, so it is measured before.
  yield* measuring(own["result"] ?? null)
  for (const { request: row } of rows) yield* measuring(row.row?.value ?? null)
  for (;;) {
    asked.length = 0
    evaluate(expr, scope)
    const [first] = asked
    if (first === undefined) return scope
    found.set(first[1], yield* overRows(first[0], first[1], scopesOf(analysis, results, rows, work)))
  }
}

function* scopesOf(
  analysis: Analysis,
  results: NamedResults,
  rows: ReadonlyArray<RowOutcome>,
  work: Work,
): Iterable<RowScope> {
  for (const { own, request } of rows)
    yield { place: request.row?.place ?? "", scope: checkScope(analysis, request, own, results, { work }) }
}
