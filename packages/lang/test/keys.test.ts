import { expect, test } from "vitest"
import { parse } from "../src/index.ts"

/** The keys of params that are reported because the object has them before, as they are written. */
function check(params: string, expected: ReadonlyArray<string>): void {
  const text = `### Keys\nm ${params}\n`
  const repeated = parse(text).diagnostics.filter(({ code }) => code === "L317")
  expect(repeated.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
}

const many = Array.from({ length: 9 }, (_, index) => `"k${index}": 0`).join(", ")

test.each<[name: string, params: string, expected: ReadonlyArray<string>]>([
  ["keys that differ", '{ "ab": 1, "ac": 2, "b": 3, "": 4 }', []],
  ["a key given twice", '{ "ab": 1, "ac": 2, "ab": 3 }', ['"ab"']],
  ["an empty key given twice", '{ "": 1, "": 2 }', ['""']],
  ["a key given three times, reported twice", '{ "a": 1, "a": 2, "a": 3 }', ['"a"', '"a"']],
  ["a key that is escaped the second time", String.raw`{ "a": 1, "\u0061": 2 }`, [String.raw`"\u0061"`]],
  ["a key that is escaped the first time", String.raw`{ "\u0061": 1, "a": 2 }`, ['"a"']],
  ["a key without quotes", '{ "a": 1, a: 2 }', ["a"]],
  ["keys with templates", '{ "{{a}}": 1, "{{a}}": 2 }', []],
  ["the same key of two objects", '[{ "a": 1 }, { "a": 2 }]', []],
  ["one of many keys", `{ ${many}, "k4": 1 }`, ['"k4"']],
  ["one of many keys, escaped", String.raw`{ ${many}, "\u006b4": 1 }`, [String.raw`"\u006b4"`]],
])("%s", (_, params, expected) => {
  check(params, expected)
})
