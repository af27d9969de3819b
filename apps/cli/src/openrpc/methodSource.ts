/** A method of a document as a module: its schemas, documentation, examples and price. */
import { mayChange } from "@dotrpc/analysis"
import { Json } from "@dotrpc/spec"
import { call, type Code, list, object, print, sequence } from "./code.ts"
import type { OpenRpcMethod, OpenRpcParam } from "./Document.ts"
import { type Components, type Examiner, TooMuchWork } from "./misfit.ts"
import { sampleOf } from "./sample.ts"
import { comment, memberName, quote, schemaSource } from "./schemaSource.ts"
import type { Shape } from "./Shape.ts"

/** A call that may be sent, and the result the document gives for it. */
export interface Example {
  readonly title: string
  readonly params: Json.Json
  readonly result?: Json.Json | undefined
}

export interface MethodSourceOptions {
  readonly plugin: string
  /** The name of the constant. */
  readonly constant: string
  readonly credits: number
  readonly components: Components
}

/** The module. */
export const methodSource = (
  method: OpenRpcMethod,
  examples: ReadonlyArray<Example>,
  { components, constant, credits, plugin }: MethodSourceOptions,
): string => {
  const params = paramsSource(method, components)
  const result = schemaSource(method.result, components, "result")
  const schemas = [...new Set([...params.schemas, ...result.schemas])].toSorted()
  const numbers = [...new Set([...params.numbers, ...result.numbers])].toSorted()
  const definition = object([
    `plugin: ${quote(plugin)}`,
    `name: ${quote(method.name)}`,
    `summary: ${quote(summaryOf(method))}`,
    `docs: ${template(docsOf(method))}`,
    sequence("positions: ", list(method.params.map((param) => quote(param.name)))),
    sequence("params: ", params.code),
    sequence("result: ", result.code),
    `price: Price.assumed(${credits})`,
    `idempotent: ${readsOnly(method.name)}`,
    ...(mayChange(method.name) ? ["writes: true"] : []),
    sequence("examples: ", list(examples.map(exampleSource))),
    "render: (result, limit, context) => Table.tableOf(result as Json.Json, limit, context)",
  ])
  const body = print(sequence(`export const ${constant} = `, call("defineMethod", definition)))
  return `/** \`${comment(method.name)}\`. */
import { defineMethod, ${body.includes("new Json.") ? "" : "type "}Json, Price, Table${[...params.helpers].map((name) => `, ${name}`).join("")} } from "@dotrpc/spec"
import { Schema } from "effect"
${numbers.length === 0 ? "" : `import { ${numbers.join(", ")} } from "../numbers.ts"\n`}${
    schemas.length === 0 ? "" : `import { ${schemas.join(", ")} } from "../schemas.ts"\n`
  }
${body}
`
}

interface Examples {
  readonly examples: ReadonlyArray<Example>
  readonly warnings: ReadonlyArray<string>
}

/** The document's examples that its own schemas accept, or one made from the schemas; and what was left out. */
export const examplesOf = (method: OpenRpcMethod, examiner: Examiner): Examples => {
  try {
    return acceptedExamples(method, examiner)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    const warning = `${method.name}: it has no example because checking one against its schemas takes too long: add one`
    return { examples: [], warnings: [warning] }
  }
}

const acceptedExamples = (method: OpenRpcMethod, examiner: Examiner): Examples => {
  const warnings: Array<string> = []
  const examples = method.examples.flatMap((example): ReadonlyArray<Example> => {
    const { title } = example
    const [wrong] = method.params.flatMap(({ name, required, shape }) => {
      const value = example.params.get(name)
      if (value === undefined) return required ? [`"${name}" is missing`] : []
      const said = examiner.paramMisfit(shape, value)
      return said === undefined ? [] : [`its ${name} does not fit the schema: ${said}`]
    })
    if (wrong !== undefined) {
      warnings.push(`${method.name}: the example "${title}" is left out: ${wrong}`)
      return []
    }
    const params = arrange(method, (param) => example.params.get(param.name))
    if (example.result === undefined) return [{ title, params }]
    const said = examiner.resultMisfit(method.result, example.result)
    if (said === undefined) return [{ title, params, result: example.result }]
    warnings.push(
      `${method.name}: the result of the example "${title}" is left out: it does not fit the schema: ${said}`,
    )
    return [{ title, params }]
  })
  if (examples.length > 0) return { examples, warnings }
  const made = new Map(method.params.map((param) => [param.name, sampleOf(param.shape, examiner)]))
  const missing = method.params.find((param) => param.required && made.get(param.name) === undefined)
  if (missing === undefined) {
    const params = arrange(method, (param) => (param.required ? made.get(param.name) : undefined))
    return { examples: [{ title: "Made from the schema", params }], warnings }
  }
  warnings.push(
    `${method.name}: no example could be made because its ${missing.name} is hard to guess or long: add one`,
  )
  return { examples: [], warnings }
}

/**
 * Whether the name is that of a method that only reads. Any other might do something twice when it is repeated, and one
 * that gives what is new since the last time, such as `eth_getFilterChanges`, gives it once: a repeat would lose it.
 */
export const readsOnly = (name: string): boolean =>
  !/(?:[cC]hanges|[uU]pdates|[nN]ext)(?![a-z])/.test(name) &&
  /(?:^|[_./:])(?:get|list|is|has|find|read|query|count|estimate|simulate|call|version|chainId|blockNumber|gasPrice|syncing|accounts)(?![a-z])/.test(
    name,
  )

/** Values as the method takes them: by name where it takes nothing else, by position up to the last one given. */
const arrange = (method: OpenRpcMethod, valueOf: (param: OpenRpcParam) => Json.Json | undefined): Json.Json => {
  const values = method.params.map((param) => [param.name, valueOf(param)] as const)
  if (method.structure === "by-name")
    return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const last = lastRequired(method)
  const end = values.findIndex(([, value], index) => value === undefined && index > last)
  return values.slice(0, end < 0 ? values.length : end).map(([, value]) => value ?? null)
}

const lastRequired = ({ params }: OpenRpcMethod): number => params.findLastIndex((param) => param.required)

/** By position, a param that may be left out is `null` where one that may not stands after it. */
const orNull = (shape: Shape): Shape => {
  if (shape.kind === "any" || (shape.kind === "union" && shape.members.some(({ kind }) => kind === "null")))
    return shape
  return { kind: "union", members: [shape, { kind: "null" }] }
}

const exampleSource = ({ params, title }: Example): Code =>
  object([`title: ${quote(title)}`, sequence("params: ", source(params))])

const paramsSource = (method: OpenRpcMethod, components: Components) => {
  const { params, structure } = method
  const last = lastRequired(method)
  const written = params.map((param) => ({ param, ...schemaSource(param.shape, components, "params") }))
  const schemas = new Set(written.flatMap((entry) => [...entry.schemas]))
  const numbers = new Set(written.flatMap((entry) => [...entry.numbers]))
  const helpers = new Set(written.flatMap((entry) => [...entry.helpers]))
  const elements = written.map(({ code, param }, index) =>
    index <= last
      ? sequence(
          param.required ? code : schemaSource(orNull(param.shape), components, "params").code,
          call(
            ".annotateKey",
            object([`messageMissingKey: ${quote(`position ${index} is missing: ${describe(param)}`)}`]),
          ),
        )
      : call("Schema.optionalKey", code),
  )
  const members = written.map(({ code, param }) =>
    sequence(`${memberName(param.name)}: `, param.required ? code : call("Schema.optionalKey", code)),
  )
  const byPosition = call("Schema.Tuple", list(elements))
  const byName = call("Schema.Struct", object(members))
  const code =
    structure === "by-position" || (structure === "either" && params.length === 0)
      ? byPosition
      : structure === "by-name"
        ? byName
        : call("Schema.Union", list([byPosition, byName]))
  return { code, schemas, numbers, helpers }
}

const describe = ({ description, name, shape }: OpenRpcParam): string => {
  const words = comment(description || shape.title || name)
  return words.charAt(0).toLowerCase() + words.slice(1)
}

const summaryOf = ({ description, name, summary }: OpenRpcMethod): string => {
  const [sentence = ""] = comment(summary || description).split(/(?<=[.!?])\s/)
  return sentence.replace(/\.$/, "") || name
}

const docsOf = (method: OpenRpcMethod): string => {
  const { deprecated, description, errors, params, structure, summary } = method
  const last = lastRequired(method)
  const rows = params.map((param, index) => {
    const what = comment(param.description || param.shape.title || "").replaceAll("|", "\\|")
    const need = param.required
      ? ""
      : index < last && structure !== "by-name"
        ? "optional: `null` leaves it out"
        : "optional"
    return `| ${structure === "by-name" ? "" : index} | \`${param.name}\` | ${need} | ${what} |`
  })
  const takes =
    rows.length === 0 ? "Takes no params." : ["| position | param | | |", "|---|---|---|---|", ...rows].join("\n")
  const fails = errors.map(({ code, message }) => `- \`${code}\`: ${comment(message)}`)
  return [
    deprecated ? "**Deprecated.**" : "",
    description || summary || `\`${method.name}\``,
    takes,
    fails.length === 0 ? "" : `**Errors.**\n\n${fails.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

/** Text over several lines as TypeScript. */
const template = (text: string): string => {
  if (!text.includes("\n")) return quote(text)
  return `\`${text.replace(/\r/g, "").replace(/[\\`]|\$(?=\{)/g, "\\$&")}\``
}

/** JSON as an expression whose value writes the same JSON. */
const source = (value: Json.Json): Code => {
  if (typeof value === "bigint") return `${value}n`
  if (value instanceof Json.JsonNumber) return `new Json.JsonNumber(${quote(value.text)})`
  if (Json.isArray(value)) return list(value.map(source))
  if (!Json.isObject(value)) return Json.stringify(value)
  return object(Object.entries(value).map(([name, member]) => sequence(`${memberName(name)}: `, source(member))))
}
