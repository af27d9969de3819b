/**
 * How the process ends before its program is through: a signal, or an output that takes no more.
 *
 * Invariant: the program is always interrupted and never cut off, so that what it had reserved is given back and files are
 * left whole. A second signal of the same sort ends the process at once.
 */
import { ExitCode } from "@dotrpc/runner"
import { Cause, type Fiber } from "effect"

/** Interrupts the program when it has to end, and sets the exit code when it has ended. */
export const endWith = (program: Fiber.Fiber<number, never>): void => {
  let decided: number | undefined
  const stop = (exitCode: number) => {
    decided ??= exitCode
    program.interruptUnsafe()
  }
  // A terminal that is closed says so by SIGHUP.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop(ExitCode.interrupted))
  for (const [stream, name] of [
    [process.stdout, "stdout"],
    [process.stderr, "stderr"],
  ] as const)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as `head`, is no failure: what it did not read need not be written.
      if (error.code === "EPIPE") return stop(ExitCode.ok)
      if (decided === undefined && stream === process.stdout)
        process.stderr.write(`dotrpc: ${name} cannot be written: ${error.message}\n`)
      stop(ExitCode.failed)
      process.exitCode = ExitCode.failed
    })
  program.addObserver((exit) => {
    if (exit._tag === "Success") process.exitCode = decided ?? exit.value
    else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = decided ?? ExitCode.interrupted
    else {
      process.stderr.write(`dotrpc: something that should not happen did: ${String(Cause.squash(exit.cause))}\n`)
      process.exitCode = ExitCode.failed
    }
  })
}
