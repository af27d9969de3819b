/** The names by which a file and those that it imports speak of anything, such as a variable that is set from outside. */
import type { Analysis } from "./Analysis.ts"
import type { CheckNode } from "@dotrpc/lang"
import { namesIn } from "./internal/names.ts"

/** Every name that is defined as a variable or used in an expression; of the imported files too. */
export const mentionedNames = ({ imports, tree }: Analysis): ReadonlySet<string> => {
  const holders = [tree.prelude, ...tree.sections]
  return new Set([
    ...holders.flatMap((holder) => holder.variables.map(({ name }) => name.text)),
    ...holders.flatMap((holder) => namesIn(holder).map(({ name }) => name)),
    ...imports.flatMap(({ analysis }) => (analysis === undefined ? [] : [...mentionedNames(analysis)])),
  ])
}

/** Every name that a check speaks of, such as `result`, `error` or a variable. */
export const namesOfCheck = (check: CheckNode): ReadonlySet<string> => new Set(namesIn(check).map(({ name }) => name))
