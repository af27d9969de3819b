/** Values of flags that several commands share. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { expect, it } from "vitest"
import { everyFlag } from "../src/commands/flags.ts"

const readEvery = async (text: string): Promise<number | undefined> => {
  let found: number | undefined
  const command = Command.make("each", { every: everyFlag }, ({ every }) => Effect.sync(() => void (found = every)))
  const run = Command.runWith(command, { version: "0" })(["--every", text])
  const exit = await Effect.runPromiseExit(Effect.provide(run, NodeServices.layer))
  return Exit.isSuccess(exit) ? found : undefined
}

it.each([
  ["30s", 30_000],
  ["10m", 600_000],
  ["1h", 3_600_000],
  // Seconds, as backfills of older versions had them.
  ["60", 60_000],
  ["10ms", undefined],
  ["0", undefined],
  ["often", undefined],
])("--every %s", async (text, millis) => expect(await readEvery(text)).toBe(millis))
