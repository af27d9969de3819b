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
  const { comparable, id, localPrefixes = [], streams = [], subscriptions = [] } = plugin
  if (!/^[a-z][a-z0-9-]*$/.test(id)) return `id is ${JSON.stringify(id)}: expected lower-case letters, digits and "-"`
  return (
    firstProblem(plugin.methods, "methods", (method, at) => methodProblem(method, at, id)) ??
    firstProblem(plugin.functions, "functions", functionProblem) ??
    (Array.isArray(localPrefixes) && localPrefixes.every((prefix) => typeof prefix === "string" && prefix !== "")
      ? undefined
      : "localPrefixes is not a list of texts") ??
    firstProblem(subscriptions, "subscriptions", (subscription, at) => subscriptionProblem(subscription, at, id)) ??
    firstProblem(streams, "streams", (method, at) => missingMember(method, at, streamShape)) ??
    firstProblem(plugin.networks, "networks", networkProblem) ??
    optionalProblem(plugin.abi, "abi", abiShape) ??
    optionalProblem(plugin.units, "units", unitsShape) ??
    optionalProblem(plugin.address, "address", addressShape) ??
    optionalProblem(plugin.blockAt, "blockAt", methodShape) ??
    optionalProblem(plugin.pinning, "pinning", pinningShape) ??
    (comparable === undefined || typeof comparable === "function" ? undefined : `comparable is not ${words.function}`)
  )
}

/** The first problem of the members of a list, each by its place in it. */
const firstProblem = <Member>(
  list: ReadonlyArray<Member>,
  name: string,
  problemOf: (member: Member, at: string) => string | undefined,
): string | undefined => {
  if (!Array.isArray(list)) return `${name} is not ${words.list}`
  for (const [index, member] of list.entries()) {
    const problem = problemOf(member, `${name}[${index}]`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const optionalProblem = (value: unknown, name: string, shape: Shape): string | undefined =>
  value === undefined ? undefined : missingMember(value, name, shape)

const methodProblem = (method: Plugin["methods"][number], at: string, id: string): string | undefined => {
  const problem = missingMember(method, at, methodShape)
  if (problem !== undefined) return problem
  if (method.plugin !== id) return `${at}.plugin is ${JSON.stringify(method.plugin)}: expected "${id}"`
  if (method.writes !== undefined && typeof method.writes !== "boolean") return `${at}.writes is not ${words.boolean}`
  return (
    (method.composite === undefined ? undefined : missingMember(method, at, compositeShape)) ??
    suggestProblem(method.suggest, `${at}.suggest`) ??
    chargedWrongly(method, `${at}.`)
  )
}

const chargedWrongly = (method: Parameters<typeof chargeProblem>[0], at: string): string | undefined => {
  const problem = chargeProblem(method)
  return problem === undefined ? undefined : `${at}${problem}`
}

const functionProblem = (entry: Plugin["functions"][number], at: string): string | undefined =>
  missingMember(entry, at, functionShape) ??
  (entry.suggest === undefined ? undefined : missingMember(entry, at, suggestingShape))

const subscriptionProblem = (
  subscription: NonNullable<Plugin["subscriptions"]>[number],
  at: string,
  id: string,
): string | undefined => {
  const problem = missingMember(subscription, at, subscriptionShape)
  if (problem !== undefined) return problem
  const { close, eventPrice, open, plugin } = subscription
  if (plugin !== id) return `${at}.plugin is ${JSON.stringify(plugin)}: expected "${id}"`
  return (
    missingMember(open, `${at}.open`, methodShape) ??
    chargedWrongly(open, `${at}.open.`) ??
    missingMember(close, `${at}.close`, methodShape) ??
    chargedWrongly(close, `${at}.close.`) ??
    chargedWrongly({ price: eventPrice, settle: open.settle }, `${at}.event `)
  )
}

const networkProblem = (network: Plugin["networks"][number], at: string): string | undefined => {
  const problem = missingMember(network, at, networkShape)
  if (problem !== undefined) return problem
  const credits = creditsProblem(network.credits ?? {})
  if (credits !== undefined) return `${at}.credits.${credits}`
  const list = pluginsProblem(network)
  if (list !== undefined) return `${at}.${list}`
  const header = headersProblem(network.headers ?? {})
  return header === undefined ? undefined : `${at}.headers: ${header.message}`
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

const streamShape: Shape = { ...methodShape, subscriptions: "list" }

const compositeShape: Shape = {
  "composite.of": "object",
  "composite.least": "number",
  "composite.most": "number",
  "composite.calls": "function",
}

const functionShape: Shape = { name: "text", signature: "text", docs: "text", call: "function" }

const placeShape: Shape = { at: "list" }

const suggestProblem = (suggest: Plugin["methods"][number]["suggest"], where: string): string | undefined =>
  suggest === undefined
    ? undefined
    : firstProblem(suggest, where, (place, at) => {
        const problem = missingMember(place, at, placeShape)
        if (problem !== undefined) return problem
        const values = memberOf(place, "values")
        return Array.isArray(values) || typeof values === "function"
          ? undefined
          : `${at}.values is not ${words.list} or ${words.function}`
      })

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
