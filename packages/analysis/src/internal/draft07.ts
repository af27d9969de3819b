/** A schema of JSON files as JSON Schema of draft 7, which every editor reads. */
import { JsonSchema, Schema } from "effect"

/** `change` is applied to the schema itself, without what stands around it. Comments and trailing commas are accepted. */
export const draft07 = (
  file: Schema.Top,
  title: string,
  change: (schema: unknown) => unknown = (schema) => schema,
): JsonSchema.JsonSchema => {
  const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(file, { onExcessProperty: "error" }))
  return {
    $schema: JsonSchema.META_SCHEMA_URI_DRAFT_07,
    title,
    ...(change(joined(document.schema)) as JsonSchema.JsonSchema),
    allowComments: true,
    allowTrailingCommas: true,
  }
}

/** Words and limits that stand in an `allOf` of their own move up, where editors look for them. */
const joined = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(joined)
  if (typeof value !== "object" || value === null) return value
  const { allOf, ...rest } = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, joined(inner)]))
  const parts: ReadonlyArray<unknown> = Array.isArray(allOf) ? allOf : []
  return Object.assign({}, ...parts, rest)
}
