/**
 * Reads Postman collections (v2.0 and v2.1) whose bodies are JSON-RPC: requests in folders, variables and descriptions.
 *
 * Invariant: no value of a variable that is a key, or is used as one, is in the output; the name of a secret replaces it.
 */
import { Json } from "@dotrpc/spec"
import type { ConversionProblem, Converted, ConvertedSection, ConvertedUrl } from "./Converted.ts"
import { callsIn } from "./jsonRpc.ts"
import { isKeyValue, isNameOfKey, withoutKeys } from "./keys.ts"
import { namesIn, plainName, valueText, withNames } from "./names.ts"
import { headersAreLeft, isUsualHeader, keysOf, readUrl, secretName, secretVariables, shownUrl } from "./urls.ts"

/** Every request of the collection. What is not JSON-RPC becomes a comment and is reported. */
export const readPostman = (text: string): Converted => {
  const found = collectionIn(text)
  if ("problem" in found) return { variables: [], sections: [], problems: [found.problem] }
  const { collection } = found
  const values = variablesIn(collection)
  const secretNames = new Set([...values].flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])))
  const secretValues = [...secretNames].flatMap((name) => values.get(name)?.value ?? [])
  const read: ReadCollection = {
    valueOf: (name) => values.get(name)?.value,
    secretNames,
    keys: new Set(secretValues.filter((value) => value.length >= 4)),
    problems: [],
    sections: [],
    mentioned: [],
  }
  if (hasAuth(collection)) read.problems.push({ line: 1, message: authIsLeft })
  if (hasScript(collection)) read.problems.push({ line: 1, message: scriptIsLeft })
  const placeOf = placeFinder(text)
  for (const item of itemsIn(collection)) convertItem(read, item, placeOf)
  const variables = convertVariables(read, values)
  const problems = read.problems.toSorted((left, right) => left.line - right.line)
  return withoutKeys({ variables, sections: read.sections, problems }, read.keys)
}

/** What was read of a collection so far. */
interface ReadCollection {
  /** The value of one of its variables, as written. */
  readonly valueOf: (name: string) => string | undefined
  /** Variables that are keys, or used as one. */
  readonly secretNames: Set<string>
  readonly keys: Set<string>
  readonly problems: Array<ConversionProblem>
  readonly sections: Array<ConvertedSection>
  readonly mentioned: Array<{ readonly name: string; readonly place: Place }>
}

const convertItem = (read: ReadCollection, { item, path }: Item, placeOf: (name: string) => Place): void => {
  const title = wordsOf(item["name"])
  const place = placeOf(title)
  const problem = (message: string) => read.problems.push({ ...place, message })
  if (hasScript(item)) problem(scriptIsLeft)
  const comments = [...(path.length === 0 ? [] : [path.join(" / ")]), ...descriptionOf(item)]
  if (item["request"] === undefined) return
  const request = requestOf(item["request"])
  if (request.hasAuth) problem(authIsLeft)
  const url = urlOf(read, request, problem)
  const found = callsIn(request.body)
  if ("problem" in found) {
    problem(`this request cannot be converted: ${found.problem}; its name is kept as a comment`)
    const kept = `not converted: ${request.verb} ${shownUrl(url)}: ${found.problem}`
    read.sections.push({ title: "", comments: [title, ...comments, kept], checks: [] })
    return
  }
  for (const name of found.mentioned) read.mentioned.push({ name, place })
  found.calls.forEach((call, index) => {
    read.sections.push({ title: title || call.method, comments: index === 0 ? comments : [], call, url, checks: [] })
  })
}

/** The URL of a request, whose keys and secrets are noted, and what of its headers is lost. */
const urlOf = (
  { keys, secretNames, valueOf }: ReadCollection,
  { headers, target }: PostmanRequest,
  problem: (message: string) => void,
): ConvertedUrl => {
  const url = readUrl(target, valueOf)
  for (const key of keysOf(target, valueOf)) keys.add(key)
  for (const name of secretVariables(target, url)) secretNames.add(name)
  url.problems.forEach(problem)
  const unusual = headers.filter((name) => !isUsualHeader(name))
  if (unusual.length > 0) problem(headersAreLeft(unusual.map((name) => name.slice(0, 40)).join(", ")))
  return url
}

/** The variables that calls mention; one that the collection does not define is reported. */
const convertVariables = (
  { keys, mentioned, problems, secretNames, valueOf }: ReadCollection,
  values: ReadonlyMap<string, Variable>,
): Converted["variables"] => {
  const plain = new Map<string, string>()
  for (const [name, { value }] of values) {
    // A variable may be the address of a node, with its key.
    const found = keysOf(value, valueOf)
    for (const key of found) keys.add(key)
    const { url } = found.length === 0 ? { url: undefined } : readUrl(value, valueOf)
    plain.set(plainName(name), url ?? withNames(value).text)
  }
  const hiddenNames = new Set([...secretNames].map(plainName))
  const used = usedNames(
    mentioned.map(({ name }) => name),
    (name) => (hiddenNames.has(name) ? undefined : plain.get(name)),
  )
  // What an environment of Postman has is not in the collection.
  const outside = [...used].filter((name) => !plain.has(name))
  for (const name of outside) {
    if (isNameOfKey(name)) hiddenNames.add(name)
    if (hiddenNames.has(name)) continue
    const place = mentioned.find((mention) => mention.name === name)?.place ?? { line: 1 }
    const message = `{{${name}}} is not defined in this collection: add a line @${name} = … to the output`
    problems.push({ ...place, message })
  }
  return [...new Set([...plain.keys(), ...outside])]
    .filter((name) => used.has(name) && (plain.has(name) || hiddenNames.has(name)))
    .map((name) => ({
      name,
      value: hiddenNames.has(name) ? `$secret.${secretName(name)}` : written(plain.get(name) ?? ""),
    }))
}

const scriptIsLeft = "a script is not imported"

const authIsLeft =
  'its authorization is not imported: write it in "headers" of the network in rpc.config.json, with keys as secrets'

/** The collection, or why the text is not one. */
const collectionIn = (
  text: string,
): { readonly collection: Json.JsonObject } | { readonly problem: ConversionProblem } => {
  try {
    const read = Json.parse(text)
    if (Json.isObject(read) && Json.isArray(read["item"] ?? null)) return { collection: read }
    const message = 'it is not a Postman collection: expected an object with "info" and "item", exported as v2.1'
    return { problem: { line: 1, column: 1, message } }
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    const before = text.slice(0, error.offset)
    const place = { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") }
    const words = error.message.replace(/ at offset \d+$/, "")
    return { problem: { ...place, message: `it is not JSON: ${words}` } }
  }
}

interface Item {
  readonly item: Json.JsonObject
  /** The names of the folders that it is in. */
  readonly path: ReadonlyArray<string>
}

/** Requests in the order of the file; folders may be as deep as the JSON, so this is not recursive. */
const itemsIn = (collection: Json.JsonObject): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  const waiting: Array<Item> = childrenOf(collection, []).toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.item["item"] === undefined) {
      found.push(next)
      continue
    }
    // Of very deep folders the outer ones say enough.
    const path = next.path.length < deepest ? [...next.path, folderName(next.item)] : next.path
    for (const child of childrenOf(next.item, path).toReversed()) waiting.push(child)
  }
  return found
}

const deepest = 8

/** Every request in the folder repeats it. One that is too long is left out whole: no key in it may be cut in two. */
const folderName = ({ name }: Json.JsonObject): string => {
  const words = wordsOf(name)
  return words.length > longestFolder ? "…" : words
}

const longestFolder = 100

const childrenOf = ({ item }: Json.JsonObject, path: ReadonlyArray<string>): ReadonlyArray<Item> =>
  item !== undefined && Json.isArray(item)
    ? item.flatMap((child) => (Json.isObject(child) ? [{ item: child, path }] : []))
    : []

interface PostmanRequest {
  readonly verb: string
  readonly target: string
  /** Names. */
  readonly headers: ReadonlyArray<string>
  readonly body: { readonly text: string } | { readonly problem: string }
  readonly hasAuth: boolean
}

/** A request may be its URL alone, and a URL its parts. */
const requestOf = (request: Json.Json): PostmanRequest => {
  if (!Json.isObject(request))
    return { verb: "GET", target: textOf(request), headers: [], body: { problem: "it has no body" }, hasAuth: false }
  const { body, header, method, url } = request
  const target = url !== undefined && Json.isObject(url) ? addressOf(url) : textOf(url)
  const headers = header !== undefined && Json.isArray(header) ? header : []
  const verb = /^[a-z]{1,10}$/i.test(textOf(method)) ? textOf(method).toUpperCase() : "GET"
  return {
    verb,
    target,
    headers: headers.flatMap((entry) =>
      Json.isObject(entry) && entry["disabled"] !== true && /^[\w-]+$/.test(textOf(entry["key"]))
        ? [textOf(entry["key"])]
        : [],
    ),
    body: bodyOf(body),
    hasAuth: hasAuth(request),
  }
}

/** A URL in its parts, of which the whole may be missing. `:name` in its path stands for a value beside it. */
const addressOf = ({ host, path, port, protocol, query, raw, variable }: Json.JsonObject): string => {
  const listOf = (value: Json.Json | undefined) => (value !== undefined && Json.isArray(value) ? value : [value ?? ""])
  const joined = (value: Json.Json | undefined, sign: string) =>
    listOf(value)
      .map((part) => textOf(Json.isObject(part) ? part["value"] : part))
      .join(sign)
  const pairs = listOf(query).flatMap((each) =>
    Json.isObject(each) && each["disabled"] !== true ? [`${textOf(each["key"])}=${textOf(each["value"])}`] : [],
  )
  const [scheme, at] = [textOf(protocol), textOf(port)]
  const origin = `${scheme === "" ? "" : `${scheme}://`}${joined(host, ".")}${at === "" ? "" : `:${at}`}`
  const whole = textOf(raw) || `${origin}/${joined(path, "/")}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
  const named = new Map(
    listOf(variable).flatMap((each) => (Json.isObject(each) ? [[textOf(each["key"]), textOf(each["value"])]] : [])),
  )
  return whole.replace(/(?<=\/):([\w-]+)(?=[/?#]|$)/g, (segment, name: string) =>
    named.has(name) ? named.get(name) || `{{${name}}}` : segment,
  )
}

const bodyOf = (body: Json.Json | undefined): PostmanRequest["body"] => {
  if (body === undefined || !Json.isObject(body) || body["disabled"] === true) return { problem: "it has no body" }
  const { mode, raw } = body
  if (mode !== undefined && mode !== "raw") return { problem: "its body is not raw text" }
  return { text: textOf(raw) }
}

interface Variable {
  readonly value: string
  readonly isSecret: boolean
}

const variablesIn = ({ variable }: Json.JsonObject): ReadonlyMap<string, Variable> => {
  const values = new Map<string, Variable>()
  for (const entry of variable !== undefined && Json.isArray(variable) ? variable : []) {
    if (!Json.isObject(entry) || entry["disabled"] === true) continue
    const name = textOf(entry["key"] ?? entry["id"])
    if (!/^[A-Za-z_][\w-]*$/.test(name)) continue
    const { value: given } = entry
    const value = typeof given === "string" ? given : given === undefined || given === null ? "" : Json.stringify(given)
    values.set(name, { value, isSecret: entry["type"] === "secret" || isKeyValue(name, value) })
  }
  return values
}

/** Variables in a text, and those in their values. */
const usedNames = (
  mentioned: ReadonlyArray<string>,
  textFor: (name: string) => string | undefined,
): ReadonlySet<string> => {
  const used = new Set<string>()
  const waiting = [...mentioned]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue
    used.add(name)
    for (const inner of namesIn(textFor(name) ?? "")) waiting.push(inner)
  }
  return used
}

const hasAuth = ({ auth }: Json.JsonObject): boolean =>
  auth !== undefined && Json.isObject(auth) && auth["type"] !== "noauth" && auth["type"] !== "inherit"

const hasScript = ({ event }: Json.JsonObject): boolean =>
  event !== undefined &&
  Json.isArray(event) &&
  event.some((entry) => {
    const script = Json.isObject(entry) ? entry["script"] : undefined
    const exec = script !== undefined && Json.isObject(script) ? script["exec"] : undefined
    const lines = exec !== undefined && Json.isArray(exec) ? exec : [exec ?? ""]
    return lines.some((line) => textOf(line).trim() !== "")
  })

/** Of an item or its request. */
const descriptionOf = (item: Json.JsonObject): ReadonlyArray<string> => {
  const { request } = item
  const own =
    item["description"] ?? (request !== undefined && Json.isObject(request) ? request["description"] : undefined)
  const text = own !== undefined && Json.isObject(own) ? textOf(own["content"]) : textOf(own)
  return text.trim() === "" ? [] : text.trim().split(/\r\n|\n|\r/)
}

const textOf = (value: Json.Json | undefined): string => (typeof value === "string" ? value : "")

const wordsOf = (value: Json.Json | undefined): string => textOf(value).replace(/\s+/g, " ").trim()

/** A line and a column from 1; no column where only the line is known. */
type Place = Pick<ConversionProblem, "line" | "column">

/** The place of the next item with a name, in a text of which the items are asked for in their order. */
const placeFinder = (text: string): ((name: string) => Place) => {
  let [at, line, counted, missed] = [0, 1, 0, 0]
  return (name) => {
    // A name may be written with other escapes; each search for one goes through all of the text.
    const found = name === "" || missed > mostMissed ? -1 : text.indexOf(JSON.stringify(name), at)
    if (found < 0) missed++
    if (found < 0) return { line }
    at = found + 1
    for (let end = text.indexOf("\n", counted); end >= 0 && end < found; end = text.indexOf("\n", counted)) {
      line++
      counted = end + 1
    }
    return { line, column: found - counted + 1 }
  }
}

const mostMissed = 20

/** The value of a variable as one line of the language. */
const written = (value: string): string => {
  try {
    const json = Json.parse(value)
    if (Json.isArray(json) || Json.isObject(json)) return Json.stringify(json)
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
  }
  return /[\r\n]|^[[{](?!\{)/.test(value) ? JSON.stringify(value) : valueText(value)
}
