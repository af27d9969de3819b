import { describe, expect, it } from "vitest"
import { findPlainWrites } from "../src/plainWrites.ts"

const check = (path: string, text: string, isAllowed: boolean) =>
  it(`${isAllowed ? "allows" : "refuses"} ${text} in ${path}`, () =>
    expect(findPlainWrites([{ path, text }]).map(({ line }) => line)).toEqual(isAllowed ? [] : [1]))

describe("words of the CLI", () => {
  const command = "apps/cli/src/commands/check.ts"
  check(command, "stderr.line(`dotrpc: ${problem}`)", true)
  check(command, "stderr.lines(problems)", true)
  check(command, "stderr.write(`dotrpc: ${problem}\\n`)", false)
  check(command, "(filters ? stderr : stdout).write(text)", false)
  check(command, "outputOf(host).stdout.write(text)", false)
  check("apps/cli/src/render/diagnostics.ts", "sink.write(shown)", true)
  check("apps/cli/src/commands/new.ts", "stdout.write(nextSteps(folder))", true)
  check("apps/cli/src/commands/new.ts", "stdout.write(folder)", false)
  check("apps/cli/test/check.test.ts", "child.stdin.write(text)", true)
})
