/** Adds what a suite counted to the file that `TEST_TALLY` names: `passed failed again`, a line for each run. */
import { appendFileSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"

export class Tally implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const file = process.env["TEST_TALLY"] ?? ""
    if (file === "") return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === "passed")
    const failed = tests.filter((test) => test.result().state === "failed")
    // A file that cannot be loaded, and an error that no test caught, count as one each.
    const broken = modules.filter((module) => module.errors().length > 0)
    const again = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
    appendFileSync(file, `${passed.length} ${failed.length + broken.length + errors.length} ${again.length}\n`)
  }
}
