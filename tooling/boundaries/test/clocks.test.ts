import { describe, expect, it } from "vitest"
import { findClocks } from "../src/clocks.ts"

/** In parts, as this file is searched as well. */
const now = "performance.".concat("now()")

const check = (path: string, text: string, isAllowed: boolean) =>
  it(`${isAllowed ? "allows" : "refuses"} ${text} in ${path}`, () =>
    expect(findClocks([{ path, text: `\n${text}` }]).map(({ line }) => line)).toEqual(isAllowed ? [] : [2]))

describe("a test measures time only where it runs alone", () => {
  check("packages/core/test/Turn.test.ts", now, false)
  check("packages/core/test/worker.ts", "process.".concat("cpuUs", "age()"), false)
  check("packages/core/test/worker.ts", "process.threadC".concat("puUs", "age()"), false)
  check("apps/vscode/test/editor/run.flow.ts", "process.hr".concat("time()"), false)
  check("packages/core/test/deep/Turn.test.ts", now, true)
  check("packages/lang/bench/parse.test.ts", now, true)
  check("packages/core/src/Turn.ts", now, true)
  check("packages/core/test/Turn.test.ts", 'vi.useFakeTimers({ toFake: ["performance"] })', true)
})
