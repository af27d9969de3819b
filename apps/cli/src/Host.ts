/**
 * The world around a command: where it runs, what is typed into it, and where its output goes. `processHost.ts` makes
 * one from this process; a test makes one in memory.
 *
 * Invariant: a command asks `process` for none of this, so that several commands can run in one process.
 */
import type { Surroundings } from "@dotrpc/project/node"
import { Context } from "effect"
import { relative, resolve } from "node:path"
import type { Readable } from "node:stream"

/** Standard input. */
export interface Input {
  readonly isTTY: boolean
  /** Opened when it is first asked for. */
  readonly stream: () => Readable
}

/** Standard output or standard error, before anything is taken care of. Only `Output.ts` writes to it. */
export interface RawOutput {
  readonly isTTY: boolean
  readonly columns: number | undefined
  /** Whether anyone who reads it can follow links. */
  readonly followsLinks: boolean
  /** `left` hears when the text has left this process, `failed` that it never will. */
  readonly write: (text: string, heard?: { readonly left: () => void; readonly failed: () => void }) => void
  /** Writes all of it, and ends when it has left this process. Rejects where the output takes no more. */
  readonly writeWhole: (text: string) => Promise<void>
}

export class Host extends Context.Service<
  Host,
  Surroundings & {
    readonly stdin: Input
    readonly stdout: RawOutput
    readonly stderr: RawOutput
    /** What starts this program once more, before its arguments: Node, its options, and the script. */
    readonly program: ReadonlyArray<string>
    /** Gives the signals of this process to a listener, instead of ending the command, until what it returns is called. */
    readonly hearSignals?: ((listener: (signal: NodeJS.Signals) => void) => () => void) | undefined
    /** Says to the process that has started this one in the background, if one has, that the work has begun. */
    readonly begun: () => void
  }
>()("@dotrpc/cli/Host") {}

/** A file with the name that was given for it on the command line. */
export interface NamedFile {
  readonly name: string
  /** Absolute. */
  readonly path: string
}

export const namedFile = (host: Pick<Surroundings, "cwd">, name: string): NamedFile => ({
  name,
  path: pathOf(host, name),
})

/** The file that a name on the command line stands for. */
export const pathOf = ({ cwd }: Pick<Surroundings, "cwd">, name: string): string => resolve(cwd, name)

/** A path as it is shown: relative to the working directory. */
export const shownPath = ({ cwd }: Pick<Surroundings, "cwd">, path: string): string => relative(cwd, path) || path
