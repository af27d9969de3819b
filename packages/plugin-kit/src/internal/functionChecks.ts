/** The rules for every function of expressions. */
import { Json, type Plugin, type PluginFunction } from "@dotrpc/spec"
import * as fc from "fast-check"
import type { Check, Settings } from "../Check.ts"
import { anyJson, wordsOf } from "./arbitraries.ts"
import { expect } from "./expect.ts"
import { law } from "./law.ts"

export const functionChecks = (plugin: Plugin, entry: PluginFunction, settings: Settings): ReadonlyArray<Check> => [
  {
    name: `${entry.name}(): is documented, and its signature begins with its name`,
    run: () => {
      expect(entry.docs.trim() !== "", "the docs are empty")
      expect(entry.signature.startsWith(`${entry.name}(`), `the signature is ${JSON.stringify(entry.signature)}`)
    },
  },
  {
    name: `${entry.name}(): returns a value or a problem, for any arguments`,
    run: () =>
      law(settings, fc.array(anyJson(wordsOf(plugin)), { maxLength: 5 }), (args) => {
        const result = entry.call(args)
        if ("problem" in result) expect(result.problem.trim() !== "", "the problem has no message")
        else expect(isJson(result.value), `the value is not JSON: ${String(result.value)}`)
      }),
  },
  ...(entry.suggest === undefined ? [] : [suggestionCheck(entry.name, entry.suggest)]),
]

const suggestionCheck = (name: string, suggest: NonNullable<PluginFunction["suggest"]>): Check => ({
  name: `${name}(): suggests each text once, for any argument`,
  run: () => {
    for (const argument of [0, 1, 2, 100]) {
      const texts = suggest(argument, {}).map(({ text }) => text)
      expect(!texts.includes(""), `an empty text is suggested for argument ${argument}`)
      expect(new Set(texts).size === texts.length, `a text is suggested twice for argument ${argument}`)
    }
  },
})

const isJson = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value === null || value instanceof Json.JsonNumber) return true
      return (Array.isArray(value) ? value : Object.values(value)).every(isJson)
    default:
      return false
  }
}
