/**
 * How the process ends before its program is through: a signal, an output that takes no more, or a bug.
 *
 * Invariant: the program is always interrupted and never cut off, so that what it had reserved is given back and files are
 * left whole. A second signal of the same sort ends the process at once.
 */
import { ExitCode, internalErrorWords } from "@dotrpc/runner"
import { Cause, type Fiber } from "effect"
import { onStreamError, stderr } from "./Output.ts"
import { onSignal } from "./signals.ts"

/** Interrupts the program when it has to end, and sets the exit code when it has ended. */
export const endWith = (program: Fiber.Fiber<number, never>): void => {
  let decided: number | undefined
  const stop = (exitCode: number) => {
    decided ??= exitCode
    program.interruptUnsafe()
  }
  onSignal(() => stop(ExitCode.interrupted))
  onStreamError((name, error) => {
    // A reader that has seen enough, such as `head`, is no failure: what it did not read need not be written.
    if (error.code === "EPIPE") return stop(ExitCode.ok)
    if (decided === undefined && name === "stdout")
      stderr.write(`dotrpc: ${name} cannot be written: ${error.message}\n`)
    stop(ExitCode.failed)
    process.exitCode = ExitCode.failed
  })
  program.addObserver((exit) => {
    if (exit._tag === "Success") process.exitCode = decided ?? exit.value
    else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = decided ?? ExitCode.interrupted
    else {
      stderr.write(`dotrpc: ${internalErrorWords(exit.cause)}\n`)
      process.exitCode = ExitCode.internal
    }
  })
  // What nothing waits for can throw as well. The program is told, so that it still says what was spent.
  const broken = (thrown: unknown) => {
    stderr.write(`dotrpc: ${internalErrorWords(thrown)}\n`)
    stop(ExitCode.internal)
    process.exitCode = ExitCode.internal
  }
  process.on("uncaughtException", broken)
  process.on("unhandledRejection", broken)
}
