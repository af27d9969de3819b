/** How a command ends whose call has failed. */
import { ExitCode } from "@dotrpc/runner"
import { type RpcError, RpcReason } from "@dotrpc/spec"
import { CommandFailed } from "../CommandFailed.ts"

/** Ends the command with the words and the exit code of a failed call. */
export const callFailure = (error: RpcError | CommandFailed, said?: string): CommandFailed => {
  if (error instanceof CommandFailed) return error
  const refused = RpcReason.isOwnRefusal(error.reason)
  const invalid = isInvalid(error)
  return new CommandFailed({
    lines: [error.message, error.advice, ...(said === undefined || invalid ? [] : [said])],
    exitCode: refused ? ExitCode.refused : invalid ? ExitCode.invalid : ExitCode.failed,
  })
}

/** Whether what was asked for is wrong, which is said before anything is sent. */
export const isInvalid = (error: RpcError): boolean =>
  error.outcome === "unsent" && ["InvalidParams", "NotFound"].includes(error.reason._tag)
