/**
 * Names on the command line that shells complete from the project: `dotrpc --names KIND` prints them. They arrive as they were typed.
 *
 * What `effect/cli` writes into a script are the choices of a flag. Such a flag has one choice there, a mark that `completionScript`
 * replaces by the question.
 */
import { Effect } from "effect"
import { type Argument, type Flag, Param, Primitive } from "effect/cli"
import { markOf, type NameKind } from "../NamedThings.ts"

export const nameFlag = (name: string, kind: NameKind): Flag.Flag<string> =>
  Param.makeSingle({ kind: Param.flagKind, name, primitiveType: named(kind) })

export const nameArgument = (name: string, kind: NameKind): Argument.Argument<string> =>
  Param.makeSingle({ kind: Param.argumentKind, name, typeName: "name", primitiveType: named(kind) })

const named = (kind: NameKind): Primitive.Primitive<string> =>
  Object.assign(Primitive.Choice([[markOf(kind), ""]]), { parse: (text: string) => Effect.succeed(text) })
