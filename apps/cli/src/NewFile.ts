/** Files that commands make for their user. */
import { AtomicFile } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { CommandFailed } from "./CommandFailed.ts"
import { fileProblem } from "./fileProblem.ts"
import type { NamedFile } from "./Host.ts"

/** Creates a file where there is none; fails in words otherwise. */
export const writeNew = ({ name, path }: NamedFile, text: string): Effect.Effect<void, CommandFailed> =>
  Effect.try({
    try: () => AtomicFile.create(path, text),
    catch: (error) =>
      new CommandFailed({
        lines: [
          existsSync(path)
            ? `${name} already exists; nothing is overwritten`
            : `${name} cannot be written: ${fileProblem(error)}`,
        ],
        exitCode: ExitCode.invalid,
      }),
  })
