/** What a schema offers instead of a value that does not fit it; see `withRepair`. */
import * as SchemaAST from "effect/SchemaAST"
import type { Json } from "../Json.ts"

export type Repair = (value: Json) => Json | undefined

export const repairKey = "@dotrpc/spec/repair"

/** A union without a repair of its own, such as one that adds `null`, has that of its first member with one. */
export const repairOf = (ast: SchemaAST.AST): Repair | undefined => {
  const annotated: unknown = SchemaAST.resolve(ast)?.[repairKey]
  if (isRepair(annotated)) return annotated
  if (!SchemaAST.isUnion(ast)) return undefined
  for (const member of ast.types) {
    const repair = repairOf(member)
    if (repair !== undefined) return repair
  }
  return undefined
}

const isRepair = (annotated: unknown): annotated is Repair => typeof annotated === "function"
