/** The names that a secret can be set for, and what may be a name. */
import { expect, test } from "vitest"

import { namesToSet, nameProblem } from "../../src/commands/secrets.ts"

test("the names that texts use come first, those without a value before the others", () => {
  const store = { names: ["OLD", "USED"], value: (name: string) => (name === "MISSING" ? undefined : "x") }
  const texts = [
    '"url": "https://a.example/{{$secret.USED}}/{{$secret.MISSING}}"',
    "# {{$secret.MISSING}} {{$env.HOME}}",
  ]
  expect(namesToSet(texts, store).map(({ description, value }) => `${value}: ${description}`)).toEqual([
    "MISSING: not in the store",
    "USED: stored",
    "OLD: stored",
  ])
})

test("a key is not taken for a name", () => {
  const isRefused = (text: string) => nameProblem(text) !== undefined
  expect(["API_KEY", "key2", "MAINNET_ARCHIVE_KEY_FOR_TESTS", "KEY_2026"].filter(isRefused)).toEqual([])
  const keys = ["a81bc81bdead4e5dabff90865d1e13b1", "Zx81KvQqAp0sLw9EbTr2Yn5Md", "9lives", "two words", "a-b"]
  expect(keys.filter((key) => !isRefused(key))).toEqual([])
})
