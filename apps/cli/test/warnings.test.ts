/** Which words of libraries are shown. */
import { Effect, Logger } from "effect"
import { expect, it } from "vitest"
import { outputOf } from "../src/Output.ts"
import { warnings } from "../src/warnings.ts"
import { hostAt } from "./dotrpc.ts"
import { Printed } from "./running.ts"

const check = (name: string, annotations: Readonly<Record<string, unknown>>, expected: string) =>
  it(name, async () => {
    const printed = new Printed()
    const out = outputOf(hostAt({}, printed))
    await Effect.logWarning("No healthy runners available").pipe(
      Effect.annotateLogs(annotations),
      Effect.provide(Logger.layer([warnings(out)])),
      Effect.runPromise,
    )
    expect(printed.stderr).toBe(expected)
  })

check("shows a warning", {}, "dotrpc: warning: No healthy runners available\n")
check("shows none about the insides of a cluster", { module: "effect/cluster/Sharding" }, "")
