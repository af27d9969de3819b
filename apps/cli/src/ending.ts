/**
 * How the process ends before its program is complete: a signal, an output that accepts no more, or a bug.
 *
 * Invariant: the program is always interrupted and never cut off, so that what it had reserved is returned and files are
 * left whole. A second signal of the same sort ends the process at once.
 */
import { ExitCode, internalErrorWords } from "@dotrpc/runner"
import { Cause, Context, Effect } from "effect"
import { EndedBy } from "./EndedBy.ts"
import { fileProblem } from "./fileProblem.ts"
import type { Host } from "./Host.ts"
import { outputOf } from "./Output.ts"
import { onSignal } from "./signals.ts"

/** Runs the program, interrupts it when it has to end, and sets the exit code when it has ended. */
export const runToEnd = (program: Effect.Effect<number>, host: Host["Service"]): void => {
  const { stderr } = outputOf(host)
  showWarnings(stderr.line)
  const fiber = Effect.runFork(program)
  let decided: number | undefined
  const stop = (exitCode: number, reason?: EndedBy["Service"]) => {
    decided ??= exitCode
    fiber.interruptUnsafe(undefined, reason === undefined ? undefined : Context.make(EndedBy, reason))
  }
  onSignal(() => stop(ExitCode.interrupted))
  for (const name of ["stdout", "stderr"] as const)
    process[name].on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as `head`, is not a failure: what it did not read need not be written.
      if (error.code === "EPIPE") return stop(ExitCode.ok)
      if (decided === undefined && name === "stdout")
        stderr.line(`dotrpc: ${name} cannot be written: ${fileProblem(error)}`)
      stop(ExitCode.failed)
      process.exitCode = ExitCode.failed
    })
  // What nothing waits for can throw as well. The program is notified, so that it still reports what was spent.
  const broken = (thrown: unknown) => {
    stderr.line(`dotrpc: ${internalErrorWords(thrown)}`)
    stop(ExitCode.internal, { thrown })
    process.exitCode = ExitCode.internal
  }
  process.on("uncaughtException", broken)
  process.on("unhandledRejection", broken)
  fiber.addObserver((exit) => {
    if (exit._tag === "Success") process.exitCode = decided ?? exit.value
    else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = decided ?? ExitCode.interrupted
    else broken(exit.cause)
  })
}

/** Node 22 says with every run that its SQLite may change; what the ledger uses of it has not. Other warnings are shown. */
const showWarnings = (line: (words: string) => void): void => {
  process.removeAllListeners("warning").on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite")) return
    line(`dotrpc: ${warning.name}: ${warning.message}`)
  })
}
