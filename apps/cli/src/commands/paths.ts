/**
 * Names of files and folders on the command line. Shells complete them, and they arrive as they were typed: `effect/cli` would
 * make them absolute by the folder of the process.
 */
import { Effect } from "effect"
import { type Argument, type Flag, Param, Primitive } from "effect/cli"

type Kind = "file" | "directory"

/** `FILE`, which may also be `-` or a glob. */
export const fileArgument = (name: string): Argument.Argument<string> =>
  Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: asTyped("file") })

export const folderArgument = (name: string): Argument.Argument<string> =>
  Param.makeSingle({ kind: Param.argumentKind, name, primitiveType: asTyped("directory") })

export const fileFlag = (name: string): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: asTyped("file") })

export const folderFlag = (name: string): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: asTyped("directory") })

const asTyped = (kind: Kind): Primitive.Primitive<string> =>
  Object.assign(Primitive.Path(kind), { parse: (text: string) => Effect.succeed(text) })
