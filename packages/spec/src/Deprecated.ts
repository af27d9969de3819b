/** Members of results that a provider is about to take away, with what to read in their place. */
import type { Schema, SchemaAST } from "effect"

/**
 * Annotates a member as deprecated. `instead` is the member beside it that holds the same and will stay.
 *
 * @example
 * ```ts
 * const Amount = Schema.Struct({
 *   uiAmount: Schema.optionalKey(Schema.Number).annotateKey(deprecatedFor("uiAmountString")),
 *   uiAmountString: Schema.String,
 * })
 * ```
 */
export const deprecatedFor = <T>(instead: string): Schema.Annotations.Key<T> => ({ [deprecatedKey]: instead })

/** What to read instead of a member, by the schema of the member; `undefined` when it will stay. */
export const deprecationOf = (member: SchemaAST.AST): string | undefined => {
  const instead: unknown = member.context?.annotations?.[deprecatedKey]
  return typeof instead === "string" ? instead : undefined
}

const deprecatedKey = "@dotrpc/spec/deprecated"
