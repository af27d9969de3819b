/** Texts with names of secrets and of variables of the environment: `https://…/v3/{{$secret.API_KEY}}`. */

/** A piece of a text, or the name of what belongs there. */
export type Part = string | { readonly name: string }

/** The pieces in their order; none is empty. */
export const partsOf = (text: string): ReadonlyArray<Part> =>
  text.split(placeholder).flatMap((part, index): ReadonlyArray<Part> => {
    if (index % 2 === 1) return [{ name: part }]
    return part === "" ? [] : [part]
  })

/** The names in these texts, each once. */
export const namesIn = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => partsOf(text).flatMap((part) => (typeof part === "string" ? [] : [part.name])))),
]

/** Matches a place for a value; its group is the name. */
export const placeholder = /\{\{\s*\$(?:secret|env)\.(\w+)\s*\}\}/g
