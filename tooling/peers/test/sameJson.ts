/** Compares JSON as text, so that every digit and the order of members count, and a failure shows as lines. */
import { Json } from "@dotrpc/spec"
import { expect } from "vitest"

export const expectSameJson = (actual: Json.Json | undefined, expected: Json.Json): void => {
  expect(actual === undefined ? "no result" : Json.stringify(actual, 2)).toBe(Json.stringify(expected, 2))
}
