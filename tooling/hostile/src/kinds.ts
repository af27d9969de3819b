/** What a landing tries of a collection. */
import { isDeep } from "@dotrpc/vitest/depth"

/** The first of each kind, or all of them in a deep run. */
export const chosenByKind = <A>(all: ReadonlyArray<A>, kindOf: (one: A) => string): ReadonlyArray<A> => {
  if (isDeep) return all
  const kinds = new Set<string>()
  return all.filter((one) => {
    const kind = kindOf(one)
    const isFirst = !kinds.has(kind)
    kinds.add(kind)
    return isFirst
  })
}

/** The first word of a name with hyphens. */
export const firstWord = ({ name }: { readonly name: string }): string => name.split("-")[0] ?? name
