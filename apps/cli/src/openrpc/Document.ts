/** An OpenRPC document, read: its methods with everything that references lead to, and the shapes they share. */
import { Json, Redaction } from "@dotrpc/spec"
import { Redacted, Result } from "effect"
import { withoutEndlessChoices } from "./cycles.ts"
import { linearPattern } from "./linearPattern.ts"
import { readShape } from "./readShape.ts"
import { everyMethod, isSelected, type Selection } from "./Selection.ts"
import { anything, type SchemaContext, type Shape } from "./Shape.ts"

export interface OpenRpcDocument {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The first URL of the document that is complete. */
  readonly url?: string | undefined
  readonly methods: ReadonlyArray<OpenRpcMethod>
  /** The names of all methods, also of those that are not selected. */
  readonly names: ReadonlyArray<string>
  /** The schemas that have a name, by that name. */
  readonly components: ReadonlyMap<string, Shape>
  /** The parts of the document that are not imported. */
  readonly warnings: ReadonlyArray<string>
}

export interface OpenRpcMethod {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  /** How params may be given. */
  readonly structure: "by-name" | "by-position" | "either"
  readonly params: ReadonlyArray<OpenRpcParam>
  readonly result: Shape
  readonly errors: ReadonlyArray<{ readonly code: string; readonly message: string }>
  readonly examples: ReadonlyArray<OpenRpcExample>
}

export interface OpenRpcParam {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly shape: Shape
}

export interface OpenRpcExample {
  readonly title: string
  /** Values by the name of the method's param. */
  readonly params: ReadonlyMap<string, Json.Json>
  readonly result?: Json.Json | undefined
}

/** Reads the selected methods of a document and what they refer to, or says why the text is not a document. */
export const readOpenRpc = (text: string, selection = everyMethod): Result.Result<OpenRpcDocument, string> => {
  let root: Json.Json
  try {
    root = Json.parse(text, deepest)
  } catch (error) {
    return Result.fail(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!Json.isObject(root) || typeof root.openrpc !== "string")
    return Result.fail('it is not an OpenRPC document: expected an object with a member "openrpc"')
  if (!Json.isArray(root.methods)) return Result.fail('it has no list of "methods"')
  const document = new Reader(root, selection).document(root.methods)
  if (document.components.size > mostComponents)
    return Result.fail(
      `its methods refer to more than ${mostComponents.toLocaleString("en")} shared schemas: split it into several documents`,
    )
  return Result.succeed(document)
}

/** Arrays and objects inside each other: what is written from a schema nests as deeply as the schema. */
const deepest = 200

const mostComponents = 5_000

/** Those that are written out in place count each time. */
const mostSchemas = 20_000

/** Different ones; what a document says again and again is read once. */
const mostPatterns = 500

const mostWarnings = 1_000

/** Of a warning, which repeats what the document says. */
const longestWarning = 500

/** Collects names and warnings while the parts of one document are read. */
class Reader {
  readonly #root: Json.JsonObject
  readonly #selection: Selection
  readonly #warnings = new Set<string>()
  readonly #components = new Map<string, Shape>()
  readonly #unread: Array<{ readonly name: string; readonly schema: Json.Json }> = []
  readonly #context: SchemaContext

  constructor(root: Json.JsonObject, selection: Selection) {
    this.#root = root
    this.#selection = selection
    let schemas = 0
    const patterns = new Map<string, RegExp | undefined>()
    this.#context = {
      warn: (message) => this.#warn(message),
      mayRead: () => ++schemas <= mostSchemas,
      patternOf: (source) => {
        if (!patterns.has(source) && patterns.size < mostPatterns) patterns.set(source, linearPattern(source))
        return patterns.get(source)
      },
      resolve: (ref) => {
        const schema = pointed(root, ref)
        if (schema === undefined || isCycle(root, schema)) return undefined
        const name = ref
          .split("/")
          .slice(ref.startsWith("#/components/schemas/") ? 3 : 1)
          .map(unescape)
          .join(" ")
        if (!this.#components.has(name)) {
          // Read later: references may lead from one schema to the next as often as there are schemas.
          this.#components.set(name, anything)
          this.#unread.push({ name, schema })
        }
        return { name, schema }
      },
    }
  }

  #warn(message: string): void {
    if (this.#warnings.size === mostWarnings) return
    const isLast = this.#warnings.size === mostWarnings - 1
    this.#warnings.add(isLast ? "more parts of the document are not imported" : message.slice(0, longestWarning))
  }

  /** Reads the schemas that references led to, and those that they lead to. */
  #readComponents(): void {
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) {
      if (this.#components.size > mostComponents) return
      this.#components.set(next.name, readShape(next.schema, this.#context, `schema ${next.name}`))
    }
  }

  document(entries: ReadonlyArray<Json.Json>): OpenRpcDocument {
    const info = Json.isObject(this.#root.info) ? this.#root.info : {}
    const names: Array<string> = []
    const read = new Set<string>()
    const methods = entries.flatMap((entry) => {
      const found = this.#follow(entry)
      const name = words(found.name)
      names.push(name)
      if (!isSelected(this.#selection, name)) return []
      if (read.has(name)) {
        this.#warn(`a second method with the name ${name} is left out`)
        return []
      }
      read.add(name)
      const method = this.#method(name, found)
      this.#readComponents()
      return method ?? []
    })
    const { components, left } = withoutEndlessChoices(this.#components)
    for (const name of left) this.#warn(`schema ${name}: it is a choice of itself, and is not checked`)
    const servers = Json.isArray(this.#root.servers) ? this.#root.servers : []
    const urls = servers.map((server) => (Json.isObject(server) ? words(server.url) : ""))
    const url = urls.find((text) => /^https?:\/\/[^{}$]+$/.test(text) && URL.canParse(text) && !hasKey(text))
    if (url === undefined && urls.some(hasKey))
      this.#warn(
        "the address of its server has a key, which is not copied: set the url with {{$secret.NAME}} instead of it",
      )
    return {
      title: words(info.title) || "OpenRPC",
      version: words(info.version),
      description: words(info.description),
      url,
      methods,
      names,
      components,
      warnings: [...this.#warnings],
    }
  }

  #method(name: string, method: Json.JsonObject): OpenRpcMethod | undefined {
    if (!/^[A-Za-z_][\w.:/-]*$/.test(name)) {
      this.#warn(`a method is left out because its name cannot be written in a .rpc file: ${Json.stringify(name)}`)
      return undefined
    }
    const { paramStructure } = method
    const structure = paramStructure === "by-name" || paramStructure === "by-position" ? paramStructure : "either"
    const params = this.#params(name, structure, method)
    const names = params.map((param) => param.name)
    const result = method.result === undefined ? {} : this.#follow(method.result)
    return {
      name,
      summary: words(method.summary),
      description: words(method.description),
      deprecated: method.deprecated === true,
      structure,
      params,
      result: readShape(result.schema, this.#context, `${name}, result`),
      errors: listOf(method.errors)
        .map((error) => this.#follow(error))
        .map((error) => ({ code: Json.stringify(error.code ?? null), message: words(error.message) })),
      examples: listOf(method.examples).map((example) => this.#example(this.#follow(example), names)),
    }
  }

  /** Of two params with one name, a call by name can have only the first; by position, the second gets another name. */
  #params(method: string, structure: OpenRpcMethod["structure"], { params }: Json.JsonObject): Array<OpenRpcParam> {
    const names = new Set<string>()
    return listOf(params).flatMap((entry, index): ReadonlyArray<OpenRpcParam> => {
      const param = this.#follow(entry)
      const written = words(param.name) || `param ${index}`
      let name = written
      for (let number = 2; names.has(name); number++) name = `${written}_${number}`
      if (name !== written && structure === "by-name") {
        this.#warn(`${method}: a second param with the name ${written} is left out`)
        return []
      }
      if (name !== written) this.#warn(`${method}: a second param with the name ${written} is called ${name}`)
      names.add(name)
      const shape = readShape(param.schema, this.#context, `${method}, param ${index} (${name})`)
      const description = words(param.summary) || words(param.description)
      return [{ name, description, required: param.required === true, shape }]
    })
  }

  /** A value belongs to the param of its name; where the method has no such name, to the one in its position. */
  #example(example: Json.JsonObject, names: ReadonlyArray<string>): OpenRpcExample {
    const values = listOf(example.params).map((param) => this.#follow(param))
    const result = example.result === undefined ? undefined : this.#follow(example.result).value
    const params = new Map<string, Json.Json>()
    const known = new Set(names)
    for (const [index, param] of values.entries()) {
      const given = words(param.name)
      const name = known.has(given) ? given : names[index]
      if (name !== undefined && param.value !== undefined && !params.has(name)) params.set(name, param.value)
    }
    return {
      title: words(example.name) || words(example.summary) || "Example",
      params,
      result,
    }
  }

  /** The object itself, or what its `$ref` leads to. */
  #follow(value: Json.Json, depth = 0): Json.JsonObject {
    if (!Json.isObject(value)) return {}
    const { $ref: ref } = value
    if (typeof ref !== "string") return value
    const target = pointed(this.#root, ref)
    if (target === undefined || depth > 20) {
      this.#warn(`"${ref}" points nowhere in this document`)
      return {}
    }
    return this.#follow(target, depth + 1)
  }
}

/** What a JSON pointer such as `#/components/schemas/Address` leads to. */
const pointed = (root: Json.Json, ref: string): Json.Json | undefined => {
  if (!ref.startsWith("#/")) return undefined
  let current: Json.Json | undefined = root
  for (const part of ref.slice(2).split("/").map(unescape)) {
    if (Json.isObject(current)) current = Object.hasOwn(current, part) ? current[part] : undefined
    else if (Json.isArray(current)) current = current[Number(part)]
    else return undefined
  }
  return current
}

/** References that lead to references only. */
const longestChain = 100

/** Whether a schema is nothing but references that lead back to themselves. */
const isCycle = (root: Json.Json, schema: Json.Json): boolean => {
  const seen = new Set<Json.Json>()
  let current: Json.Json | undefined = schema
  while (Json.isObject(current) && typeof current.$ref === "string") {
    if (seen.has(current) || seen.size > longestChain) return true
    seen.add(current)
    current = pointed(root, current.$ref)
  }
  return false
}

const unescape = (part: string): string => {
  const text = part.replaceAll("~1", "/").replaceAll("~0", "~")
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign stands for itself.
    return text
  }
}

const words = (value: Json.Json | undefined): string => (typeof value === "string" ? value.trim() : "")

const listOf = (value: Json.Json | undefined): ReadonlyArray<Json.Json> => (Json.isArray(value) ? value : [])

/** Whether an address has anything that may not be shown, besides itself. */
const hasKey = (url: string): boolean =>
  URL.canParse(url) &&
  Redaction.secretsOfUrl(url).some((part) => ![url, new URL(url).href].includes(Redacted.value(part)))
