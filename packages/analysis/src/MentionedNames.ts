/** The names by which a file and those that it imports refer to anything, such as a variable that is set from outside. */
import type { Analysis } from "./Analysis.ts"
import type { CheckNode } from "@dotrpc/lang"
import { namesIn } from "./internal/names.ts"

/** Every name that is defined as a variable or used in an expression; of the imported files too. */
export const mentionedNames = (analysis: Analysis): ReadonlySet<string> => {
  const names = new Set<string>()
  // Many ways may lead to one file, which is looked at once.
  const files = new Set([analysis])
  for (const { imports, tree } of files) {
    for (const holder of [tree.prelude, ...tree.sections]) {
      for (const { name } of holder.variables) names.add(name.text)
      for (const { name } of namesIn(holder)) names.add(name)
    }
    for (const { analysis: imported } of imports) if (imported !== undefined) files.add(imported)
  }
  return names
}

/** Every name that a check mentions, such as `result`, `error` or a variable. */
export const namesOfCheck = (check: CheckNode): ReadonlySet<string> => new Set(namesIn(check).map(({ name }) => name))
