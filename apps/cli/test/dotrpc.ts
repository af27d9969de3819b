/** Runs commands in this process, with outputs in memory. `process.ts` starts the built binary instead. */
import { ExitCode } from "@dotrpc/runner"
import { Effect, Exit } from "effect"
import { homedir } from "node:os"
import { Readable } from "node:stream"
import { dotrpc as command } from "../src/dotrpc.ts"
import type { Host, RawOutput } from "../src/Host.ts"
import { reportProblem } from "./reportSchema.ts"
import { environmentOf, type Outcome, type Place, Printed, requests, type Running } from "./running.ts"

export { canary, type Outcome, requests, type Running } from "./running.ts"

export const startAt = (place: Place, ...args: ReadonlyArray<string>): Running => {
  const printed = new Printed()
  const fiber = Effect.runFork(command(args, hostAt(place, printed)))
  return {
    outcome: new Promise((resolve, reject) =>
      fiber.addObserver((exit) => {
        const outcome = printed.outcome(Exit.isSuccess(exit) ? exit.value : ExitCode.interrupted)
        const problem = reportProblem(args, outcome)
        if (problem === undefined) resolve(outcome)
        else reject(new Error(`the report does not match report.schema.json: ${problem}`))
      }),
    ),
    interrupt: () => fiber.interruptUnsafe(),
    soFar: () => printed.stdout,
    printed: (text) => printed.has(text),
  }
}

export const hostAt = (place: Place, printed: Printed): Host["Service"] => {
  const env = environmentOf(place)
  return {
    cwd: place.cwd ?? requests,
    env,
    home: env["HOME"] ?? homedir(),
    stdin: { isTTY: place.isTerminal === true, stream: () => inputOf(place.stdin) },
    stdout: outputTo((text) => printed.add("stdout", text)),
    stderr: { ...outputTo((text) => printed.add("stderr", text)), isTTY: place.isTerminal === true },
    // What starts processes is tested on the built one.
    program: [],
    begun: () => {},
  }
}

const inputOf = (stdin: Place["stdin"] = ""): Readable =>
  typeof stdin === "string" ? Readable.from([Buffer.from(stdin)]) : stdin

const outputTo = (add: (text: string) => void): RawOutput => ({
  isTTY: false,
  columns: undefined,
  followsLinks: false,
  write: (text, heard) => {
    add(text)
    heard?.left()
  },
  writeWhole: async (text) => add(text),
})

export const start = (...args: ReadonlyArray<string>): Running => startAt({}, ...args)

export const dotrpc = (...args: ReadonlyArray<string>): Promise<Outcome> => start(...args).outcome
