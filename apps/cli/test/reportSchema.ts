/** Every JSON report that a test makes is compared with the published schema, as a reader does who wants no member left out. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Outcome } from "./running.ts"

export const reportSchema: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, "../report.schema.json"), "utf8"),
)

/** Readers ignore members that they do not know; here one that is not described is a mistake. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== "object" || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)] as const)
  return Object.fromEntries(
    "type" in schema && schema.type === "object" ? [...entries, ["additionalProperties", false]] : entries,
  )
}

const ajv = new Ajv2020({ allErrors: false, strict: false })
const report = ajv.addSchema(closed(reportSchema) as object, "report").getSchema("report")
const request = ajv.getSchema("report#/$defs/request")

/** What is wrong with a report on stdout; `undefined` where nothing is, or where the command prints none. */
export const reportProblem = (args: ReadonlyArray<string>, { code, stdout }: Outcome): string | undefined => {
  const format = args[args.indexOf("--format") + 1]
  const isRun = (args[0] === "run" || args[0] === "call") && !args.includes("--output")
  if (!isRun || stdout === "" || stdout.length > longest) return undefined
  if (format === "json") return problemOf(report, stdout)
  // A reader that stopped, or a run that was killed, leaves half a line.
  if (format !== "ndjson" || code === 130) return undefined
  for (const line of stdout.trimEnd().split("\n")) {
    const problem = problemOf(request, line)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Those that are longer have the same members, and more of them. */
const longest = 4_000_000

const problemOf = (validate: typeof report, text: string): string | undefined => {
  if (validate === undefined) return "the schema has no such part"
  return validate(JSON.parse(text)) === true ? undefined : ajv.errorsText(validate.errors)
}
