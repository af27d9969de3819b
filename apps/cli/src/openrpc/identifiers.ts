/** Names of a document as names of TypeScript. */

/** A constant for a schema: `block-tag` becomes `BlockTag`. */
export const identifier = (name: string): string => {
  const joined = partsOf(name)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("")
  return /^[A-Za-z]/.test(joined) ? (taken.has(joined) ? `${joined}Value` : joined) : `Schema${joined}`
}

/** A constant for a method: `eth_getBalance` becomes `ethGetBalance`. */
export const methodIdentifier = (name: string): string => {
  const [first = "", ...others] = partsOf(name)
  const joined =
    first.charAt(0).toLowerCase() +
    first.slice(1) +
    others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("")
  return reserved.has(joined) || !/^[a-z]/.test(joined)
    ? `call${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
    : joined
}

/** The names with numbers behind those that became equal. */
export const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name.toLowerCase()) ?? 0) + 1
    counts.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name}${count}`
  })
}

const partsOf = (name: string): ReadonlyArray<string> => name.split(/[^A-Za-z0-9]+/).filter((part) => part !== "")

/** What a generated module imports or the language has. */
const taken = new Set(["Schema", "Price", "Table", "Json", "Object", "Array", "String", "Number"])

const reserved = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await async implements interface package private protected public plugin integer number".split(
    " ",
  ),
)
