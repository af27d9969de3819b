/** The rules for what a method suggests. */
import {
  defineNetwork,
  Json,
  type Method,
  mostSuggestions,
  type ParamPath,
  type ParamSuggestions,
  showPath,
  suggestionProblem,
} from "@dotrpc/spec"
import { expect, fail, never } from "./expect.ts"

export const checkSuggestions = (method: Method): void => {
  const suggest = method.suggest ?? []
  const places = suggest.map(({ at }) => JSON.stringify(at))
  expect(new Set(places).size === places.length, "two entries are for one place")
  for (const suggestions of suggest) checkPlace(method, suggestions)
}

/** For what stands before the place in each example, for nothing, and for what is not known. */
const checkPlace = (method: Method, suggestions: ParamSuggestions): void => {
  const { at } = suggestions
  const where = showPath(at)
  const known = method.examples.map(({ params }) => before(params, at))
  for (const given of [[], known[0]?.map(() => undefined) ?? [], ...known]) textsOf(suggestions, where, given)
  const tried = method.examples.filter(({ params }) => withValue(params, at, null) !== undefined)
  expect(tried.length > 0, `no example reaches ${where}: add one that has the positions before it`)
  const problems = new Map<string, string | undefined>()
  for (const { params } of tried) {
    for (const text of textsOf(suggestions, where, before(params, at))) {
      const issues = method.issues(withValue(params, at, Json.parse(text)) ?? null, anyNetwork(method))
      const found = issues.find(({ path }) => at.every((key, index) => key === path[index]))
      // As in completion, one example that takes the value is enough: others may exclude it.
      if (!problems.has(text) || found === undefined) problems.set(text, found?.message)
    }
  }
  for (const [text, problem] of problems)
    expect(problem === undefined, `${text} is suggested for ${where}, which has: ${problem}`)
}

const textsOf = (
  { values }: ParamSuggestions,
  where: string,
  given: ReadonlyArray<Json.Json | undefined>,
): ReadonlyArray<string> => {
  const ask = (): unknown =>
    typeof values === "function" ? never(`suggest for ${where}`, () => values(given)) : values
  const found = ask()
  if (!Array.isArray(found)) return fail(`what is suggested for ${where} is not an array`)
  expect(found.length <= mostSuggestions, `${found.length} values for ${where}: an editor offers ${mostSuggestions}`)
  for (const one of found) {
    const problem = suggestionProblem(one)
    expect(problem === undefined, `a value for ${where} ${problem}`)
  }
  const texts = written(found)
  expect(new Set(texts).size === texts.length, `a value is suggested twice for ${where}`)
  const again = ask()
  expect(Array.isArray(again) && written(again).join() === texts.join(), `what is suggested for ${where} changes`)
  return texts
}

const written = (found: ReadonlyArray<{ readonly value: Json.Json }>): ReadonlyArray<string> =>
  found.map(({ value }) => Json.stringify(value))

const anyNetwork = (method: Method) => defineNetwork({ id: "any", plugin: method.plugin })

const before = (params: Json.Json, [first, ...inside]: ParamPath): ReadonlyArray<Json.Json | undefined> =>
  Json.isArray(params) && typeof first === "number"
    ? params.slice(0, first + (inside.length > 0 ? 1 : 0))
    : inside.length > 0
      ? [params]
      : []

/** `undefined` where positions before the place are missing. Objects that are missing on the way are made. */
const withValue = (root: Json.Json | undefined, path: ParamPath, value: Json.Json): Json.Json | undefined => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof key === "number") {
    const items = root === undefined ? [] : root
    if (!Json.isArray(items) || key > items.length) return undefined
    const inner = withValue(items[key], rest, value)
    return inner === undefined ? undefined : [...items.slice(0, key), inner, ...items.slice(key + 1)]
  }
  const members = root === undefined ? {} : root
  if (!Json.isObject(members)) return undefined
  const inner = withValue(members[key], rest, value)
  return inner === undefined ? undefined : { ...members, [key]: inner }
}
