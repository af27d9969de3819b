/**
 * Recognising a plugin in a value that comes from a module: one that a project names in its configuration. The module
 * may have been built with another copy of this package, so only the shape is looked at, never a class.
 */
import { chargeProblem } from "./internal/chargeProblem.ts"
import { creditsProblem } from "./internal/credits.ts"
import { pluginsProblem } from "./Network.ts"
import { headersProblem } from "./NetworkHeaders.ts"
import type { Plugin } from "./Plugin.ts"

/**
 * What keeps a value from being a plugin, in words that name the member: `methods[0].render is missing: expected a
 * function`. `undefined` when it is one, and may be used as a `Plugin`.
 */
export const pluginProblem = (value: unknown): string | undefined => {
  const missing = missingMember(value, "", pluginShape)
  if (missing !== undefined) return missing
  const plugin = value as Plugin
  const {
    abi,
    address,
    blockAt,
    comparable,
    functions,
    id,
    methods,
    networks,
    pinning,
    streams = [],
    subscriptions = [],
    units,
  } = plugin
  if (!/^[a-z][a-z0-9-]*$/.test(id)) return `id is ${JSON.stringify(id)}: expected lower-case letters, digits and "-"`
  for (const [index, method] of methods.entries()) {
    const problem = missingMember(method, `methods[${index}]`, methodShape)
    if (problem !== undefined) return problem
    if (method.plugin !== id) return `methods[${index}].plugin is ${JSON.stringify(method.plugin)}: expected "${id}"`
    if (method.writes !== undefined && typeof method.writes !== "boolean")
      return `methods[${index}].writes is not ${words.boolean}`
    const composite =
      method.composite === undefined ? undefined : missingMember(method, `methods[${index}]`, compositeShape)
    if (composite !== undefined) return composite
    const suggesting = suggestProblem(method.suggest, `methods[${index}].suggest`)
    if (suggesting !== undefined) return suggesting
    const charge = chargeProblem(method)
    if (charge !== undefined) return `methods[${index}].${charge}`
  }
  for (const [index, entry] of functions.entries()) {
    const where = `functions[${index}]`
    const problem =
      missingMember(entry, where, functionShape) ??
      (entry.suggest === undefined ? undefined : missingMember(entry, where, suggestingShape))
    if (problem !== undefined) return problem
  }
  const { localPrefixes = [] } = plugin
  if (!Array.isArray(localPrefixes) || localPrefixes.some((prefix) => typeof prefix !== "string" || prefix === ""))
    return "localPrefixes is not a list of texts"
  if (!Array.isArray(subscriptions)) return `subscriptions is not ${words.list}`
  for (const [index, subscription] of subscriptions.entries()) {
    const where = `subscriptions[${index}]`
    const problem = missingMember(subscription, where, subscriptionShape)
    if (problem !== undefined) return problem
    const { close, eventPrice, open, plugin } = subscription
    if (plugin !== id) return `${where}.plugin is ${JSON.stringify(plugin)}: expected "${id}"`
    for (const [name, method] of Object.entries({ open, close })) {
      const missing = missingMember(method, `${where}.${name}`, methodShape)
      if (missing !== undefined) return missing
      const charge = chargeProblem(method)
      if (charge !== undefined) return `${where}.${name}.${charge}`
    }
    const charge = chargeProblem({ price: eventPrice, settle: open.settle })
    if (charge !== undefined) return `${where}.event ${charge}`
  }
  if (!Array.isArray(streams)) return `streams is not ${words.list}`
  for (const [index, method] of streams.entries()) {
    const problem = missingMember(method, `streams[${index}]`, { ...methodShape, subscriptions: "list" })
    if (problem !== undefined) return problem
  }
  for (const [index, network] of networks.entries()) {
    const problem = missingMember(network, `networks[${index}]`, networkShape)
    if (problem !== undefined) return problem
    const credits = creditsProblem(network.credits ?? {})
    if (credits !== undefined) return `networks[${index}].credits.${credits}`
    const list = pluginsProblem(network)
    if (list !== undefined) return `networks[${index}].${list}`
    const header = headersProblem(network.headers ?? {})
    if (header !== undefined) return `networks[${index}].headers: ${header.message}`
  }
  return (
    (abi === undefined ? undefined : missingMember(abi, "abi", abiShape)) ??
    (units === undefined ? undefined : missingMember(units, "units", unitsShape)) ??
    (address === undefined ? undefined : missingMember(address, "address", addressShape)) ??
    (blockAt === undefined ? undefined : missingMember(blockAt, "blockAt", methodShape)) ??
    (pinning === undefined ? undefined : missingMember(pinning, "pinning", pinningShape)) ??
    (comparable === undefined || typeof comparable === "function" ? undefined : `comparable is not ${words.function}`)
  )
}

/** What two plugins both define, or one of them twice. */
export interface PluginClash {
  readonly message: string
  /** The plugin in the list, from 0: of two, the later one. */
  readonly index: number
}

/**
 * Ids that two of these plugins claim, and methods that one of them defines twice. Each is reported once, by the names that the
 * plugins have in the list they are from; their titles if there is none.
 */
export const pluginClashes = (
  plugins: ReadonlyArray<Plugin>,
  names: ReadonlyArray<string> = plugins.map(({ title }) => title),
): ReadonlyArray<PluginClash> =>
  plugins.flatMap((plugin, index) => {
    const { id, methods } = plugin
    const first = plugins.findIndex((other) => other.id === id)
    const [name, other] = [names[index] ?? id, names[first] ?? id]
    if (first < index && name === other)
      return [{ index, message: `the plugin "${name}" is in the list twice: remove one of them` }]
    const message = `the id "${id}" is defined by two plugins, "${other}" and "${name}": remove one of them`
    return [
      ...(first < index ? [{ index, message }] : []),
      ...repeated(methods.map((method) => method.name)).map((method) => ({
        index,
        message: `the method ${method} is defined twice by the plugin "${name}"`,
      })),
    ]
  })

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const again = names.filter((name) => {
    const isAgain = seen.has(name)
    seen.add(name)
    return isAgain
  })
  return [...new Set(again)]
}

type Shape = Readonly<Record<string, Expected>>
type Expected = "text" | "number" | "boolean" | "list" | "object" | "function"

const pluginShape: Shape = {
  id: "text",
  title: "text",
  docs: "text",
  methods: "list",
  functions: "list",
  networks: "list",
}

const methodShape: Shape = {
  plugin: "text",
  name: "text",
  summary: "text",
  docs: "text",
  positions: "list",
  params: "object",
  result: "object",
  price: "object",
  "price.credits": "number",
  "price.assumed": "boolean",
  settle: "object",
  idempotent: "boolean",
  examples: "list",
  issues: "function",
  accepts: "function",
  resultIssue: "function",
  classify: "function",
  prepare: "function",
  render: "function",
}

const compositeShape: Shape = {
  "composite.of": "object",
  "composite.least": "number",
  "composite.most": "number",
  "composite.calls": "function",
}

const functionShape: Shape = { name: "text", signature: "text", docs: "text", call: "function" }

const placeShape: Shape = { at: "list" }

const suggestProblem = (suggest: unknown, where: string): string | undefined => {
  if (suggest === undefined) return undefined
  if (!Array.isArray(suggest)) return `${where} is not ${words.list}`
  for (const [index, place] of suggest.entries()) {
    const problem = missingMember(place, `${where}[${index}]`, placeShape)
    if (problem !== undefined) return problem
    const values = memberOf(place, "values")
    if (!Array.isArray(values) && typeof values !== "function")
      return `${where}[${index}].values is not ${words.list} or ${words.function}`
  }
  return undefined
}

const suggestingShape: Shape = { ...functionShape, suggest: "function" }

const subscriptionShape: Shape = {
  plugin: "text",
  name: "text",
  summary: "text",
  open: "object",
  close: "object",
  notification: "text",
  idMember: "text",
  eventPrice: "object",
  item: "object",
  itemIssue: "function",
  samples: "list",
}

const abiShape: Shape = { example: "text", declaration: "function", document: "function" }

const unitsShape: Shape = { example: "text", token: "function", calls: "function", read: "function" }

const addressShape: Shape = { example: "text", problem: "function" }

const pinningShape: Shape = { tagsIn: "function", pinned: "function", lookUp: "function" }

const networkShape: Shape = { id: "text", plugin: "text" }

const words: Readonly<Record<Expected, string>> = {
  text: "a string",
  number: "a number",
  boolean: "true or false",
  list: "an array",
  object: "an object",
  function: "a function",
}

const missingMember = (value: unknown, path: string, shape: Shape): string | undefined => {
  if (typeof value !== "object" || value === null) return `${path === "" ? "it" : path} is not an object`
  for (const [name, expected] of Object.entries(shape)) {
    const place = path === "" ? name : `${path}.${name}`
    const member = name.split(".").reduce(memberOf, value)
    if (member === undefined) return `${place} is missing: expected ${words[expected]}`
    if (!fits(member, expected)) return `${place} is not ${words[expected]}`
  }
  return undefined
}

const memberOf = (holder: unknown, name: string): unknown =>
  (typeof holder === "object" && holder !== null) || typeof holder === "function"
    ? Reflect.get(holder, name)
    : undefined

const fits = (member: unknown, expected: Expected): boolean => {
  switch (expected) {
    case "text":
      return typeof member === "string"
    case "list":
      return Array.isArray(member)
    case "object":
      // A schema of Effect is callable, as a class is.
      return (typeof member === "object" && member !== null) || typeof member === "function"
    default:
      return typeof member === expected
  }
}
