/** How a command ends when it cannot do its work: a message for the user and an exit code for the shell. */
import { Data } from "effect"

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  /** Lines for stderr; empty when everything has been said. */
  readonly lines: ReadonlyArray<string>
  readonly exitCode: number
}> {
  override get message(): string {
    return this.lines.join("\n")
  }
}
