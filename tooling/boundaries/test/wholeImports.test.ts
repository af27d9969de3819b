import { describe, expect, it } from "vitest"
import { findWholeImports } from "../src/wholeImports.ts"

const check = (path: string, text: string, isAllowed: boolean) =>
  it(`${isAllowed ? "allows" : "refuses"} ${text} in ${path}`, () =>
    expect(findWholeImports([{ path, text }]).map(({ line }) => line)).toEqual(isAllowed ? [] : [1]))

describe("imports of packages that a page loads", () => {
  const file = "packages/core/src/Retry.ts"
  check(file, 'import * as Effect from "effect/Effect"', true)
  check(file, 'import type { Effect } from "effect"', true)
  check(file, 'import { type Effect } from "effect"', true)
  check(file, 'import { Effect } from "effect"', false)
  check(file, 'import { type Layer, Effect } from "effect"', false)
  check(file, 'import { RateLimiter } from "effect/persistence"', false)
  check(file, 'import * as RateLimiter from "effect/persistence/RateLimiter"', true)
  check("packages/core/test/retry.test.ts", 'import { Effect } from "effect"', true)
  check("packages/runner/src/Run.ts", 'import { Effect } from "effect"', true)
})

describe("modules that are taken apart", () => {
  const file = "packages/spec/src/RpcError.ts"
  check(file, 'import * as Schema from "effect/Schema"; const { String } = Schema', false)
  check(file, 'import * as Schema from "effect/Schema"; const String = Schema.String', true)
  check(file, "const { data } = reply", true)
})
